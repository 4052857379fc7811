import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { inWords } from '../../../site/labels.js';
import { formatLength, type ShownUnit } from '../../../site/lengths.js';
import { SURFACE_PATH } from '../../../site/paths.js';
import type { BodySurface } from '../../shared/page-tasks.js';
import { fetchAgain } from '../../widgets/ask-again.js';
import { inLightColours } from '../../widgets/light-colours.js';
import { PHONE } from '../../widgets/parts.js';
import type { PersonData } from '../data-types.js';
import { PersonDrawing } from '../drawing.js';
import { type Eye, START, turned } from './eye.js';
import type { PersonScene } from './scene.js';

interface StageProps {
  readonly data: PersonData;
  readonly marked: ReadonlySet<string>;
  readonly unit: ShownUnit;
  /** Reports whether a picture that can show dimensions is drawn. Without it, a drawing stands in. */
  readonly onPicture: (carriesLines: boolean) => void;
}

/** `missing` means that the body could not be fetched. */
type State = 'loading' | 'shown' | 'missing';

const SIDES: readonly (readonly [string, number])[] = [
  ['Front', 0],
  ['Side', 90],
  ['Back', 180],
];
const TURN_DEGREES = 15;
const DEGREES_PER_PX = 0.5;

/** The body. The user turns it with the mouse, a finger, the arrow keys or buttons. */
export function Stage({ data, marked, unit, onPicture }: StageProps): VNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const still = useRef<HTMLCanvasElement>(null);
  const labels = useRef<HTMLDivElement>(null);
  const scene = useRef<PersonScene | undefined>(undefined);
  const eye = useRef<Eye>(START);
  const [state, setState] = useState<State>('loading');
  const [attempt, setAttempt] = useState(0);
  // A phone loads three.js when somebody touches the picture: it is larger than all the rest of the page.
  const [isWanted, setWanted] = useState(() => !matchMedia(PHONE).matches);
  const want = () => setWanted(true);
  const [paints, setPaints] = useState<Paints>(() => (hasWebGl() ? 'webgl' : 'flat'));

  useEffect(() => {
    if (!isWanted) return;
    let ended = false;
    const begin = async () => {
      setState('loading');
      const parts = await sceneParts(data.artifactVersion).catch(() => undefined);
      if (ended) return;
      // The drawing stands in.
      if (parts === undefined) return setState('missing');
      if (canvas.current === null) return;
      const [createScene, surface] = parts;
      try {
        scene.current = createScene(canvas.current, surface, paints === 'flat');
        setState('shown');
      } catch {
        // The browser gives no context of WebGL any more.
        if (paints === 'flat') setState('missing');
        else setPaints('flat');
      }
    };
    begin();
    return () => {
      ended = true;
      scene.current?.dispose();
      scene.current = undefined;
    };
  }, [data.artifactVersion, attempt, paints, isWanted]);

  useLayoutEffect(() => onPicture(state !== 'missing'), [state]);

  const draw = () => scene.current?.draw(eye.current, labels.current);
  useLayoutEffect(() => {
    if (state !== 'shown') return;
    scene.current?.show(data, marked);
    draw();
  }, [state, data, [...marked].join()]);

  useEffect(() => {
    const element = canvas.current;
    if (state !== 'shown' || element === null) return;
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const recolour = () => {
      scene.current?.recolour();
      draw();
    };
    dark.addEventListener('change', recolour);
    const onPrint = () => {
      const onPaper = still.current;
      if (onPaper === null) return;
      inLightColours(() => scene.current?.recolour());
      scene.current?.drawStill(eye.current, labels.current, onPaper);
    };
    addEventListener('beforeprint', onPrint);
    addEventListener('afterprint', recolour);
    return () => {
      observer.disconnect();
      dark.removeEventListener('change', recolour);
      removeEventListener('beforeprint', onPrint);
      removeEventListener('afterprint', recolour);
    };
  }, [state]);

  const turn = (yaw: number, pitch: number, zoom = 1) => {
    eye.current = turned(eye.current, yaw, pitch, zoom);
    draw();
  };
  const face = (yawDegrees: number) => {
    eye.current = { ...eye.current, yawDegrees, pitchDegrees: START.pitchDegrees };
    draw();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, () => void> = {
      ArrowLeft: () => turn(-TURN_DEGREES, 0),
      ArrowRight: () => turn(TURN_DEGREES, 0),
      ArrowUp: () => turn(0, TURN_DEGREES),
      ArrowDown: () => turn(0, -TURN_DEGREES),
      '+': () => turn(0, 0, 1.2),
      '-': () => turn(0, 0, 1 / 1.2),
      Home: () => {
        eye.current = START;
        draw();
      },
    };
    const move = moves[event.key];
    if (move === undefined || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    move();
  };
  const shownLines = data.lines.filter(({ measurement }) => marked.has(measurement));
  const label = `${data.who}, ${data.pose}`;
  return (
    <figure
      class="person-stage"
      data-state={state}
      data-paints={paints}
      onPointerEnter={want}
      onFocusIn={want}
    >
      {state === 'missing' ? (
        <>
          <PersonDrawing
            picture={data.picture}
            label={data.picture.lying === undefined ? label : `${data.who}, lying`}
          />
          <figcaption class="hint">
            <p role="status">
              The three-dimensional picture did not come, so the person is drawn from one side.
            </p>
            <button type="button" onClick={() => setAttempt((count) => count + 1)}>
              Load it again
            </button>
          </figcaption>
        </>
      ) : (
        <>
          <div
            class="person-canvas"
            role="img"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys turn the picture.
            tabIndex={0}
            aria-label={`${label}. The arrow keys turn the person, plus and minus change the distance, Home turns it back.`}
            onKeyDown={onKeyDown}
            onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
            onPointerMove={(event) => {
              if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
              turn(-event.movementX * DEGREES_PER_PX, event.movementY * DEGREES_PER_PX);
            }}
            onDblClick={() => turn(0, 0, 1.4)}
          >
            {/* A canvas keeps its kind of context, so each kind has its own canvas. */}
            <canvas key={paints} ref={canvas} />
            <canvas ref={still} class="person-still" aria-hidden="true" />
            <div ref={labels} class="person-labels" aria-hidden="true">
              {shownLines.map(({ measurement }) => (
                <span key={measurement} data-measurement={measurement}>
                  {inWords(measurement)} <b>{lengthOf(data, measurement, unit)}</b>
                </span>
              ))}
            </div>
            {state === 'loading' ? <PersonDrawing picture={data.picture} label="" /> : null}
          </div>
          <div class="row buttons person-buttons" role="group" aria-label="Turn the person">
            <button type="button" aria-label="Turn to the left" onClick={() => turn(-30, 0)}>
              ⟲
            </button>
            {SIDES.map(([name, yaw]) => (
              <button key={name} type="button" onClick={() => face(yaw)}>
                {name}
              </button>
            ))}
            <button type="button" aria-label="Turn to the right" onClick={() => turn(30, 0)}>
              ⟳
            </button>
            <button type="button" aria-label="Closer" onClick={() => turn(0, 0, 1.25)}>
              +
            </button>
            <button type="button" aria-label="Farther away" onClick={() => turn(0, 0, 0.8)}>
              −
            </button>
          </div>
          <figcaption class="hint">
            Drag to turn, or use the arrow keys. The floor has lines every 100 mm. Numbers on the
            body are what the tape finds there.
          </figcaption>
        </>
      )}
    </figure>
  );
}

/** The method of drawing. A browser without WebGL uses `flat`. */
type Paints = 'webgl' | 'flat';

/** Loads the script that draws, and the triangles that it draws. */
async function sceneParts(artifactVersion: string) {
  const surfaceOf = async () => {
    const answer = await fetchAgain(
      `${SURFACE_PATH}?v=${encodeURIComponent(artifactVersion)}&with=cap`,
      undefined,
    );
    if (!answer.ok) throw new Error(`the surface was answered with ${answer.status}`);
    return (await answer.json()) as BodySurface;
  };
  const [{ createScene }, surface] = await Promise.all([import('./scene.js'), surfaceOf()]);
  return [createScene, surface] as const;
}

function lengthOf({ readings }: PersonData, name: string, unit: ShownUnit): string {
  const reading = readings.find(({ measurement }) => measurement === name);
  return reading?.achieved == null ? '' : formatLength(reading.achieved, unit);
}

/** Whether the browser can show three-dimensional pictures. */
function hasWebGl(): boolean {
  try {
    return document.createElement('canvas').getContext('webgl2') !== null;
  } catch {
    return false;
  }
}
