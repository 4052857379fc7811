import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  DirectionalLight,
  DoubleSide,
  EdgesGeometry,
  GridHelper,
  HemisphereLight,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshLambertMaterial,
  PerspectiveCamera,
  Scene,
  SRGBColorSpace,
  Vector3,
  WebGLRenderer,
} from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import type { PersonData } from '../../src/pages/screens/person/data-types.js';
import type { Eye } from './eye.js';
import { placeLabels } from './place-labels.js';

// Everything that needs three.js is here, so that it loads only with this screen, in a file of its own.

/** The triangles that all bodies share, as the service sends them. */
export interface SurfaceData {
  readonly triangles: string;
  readonly materials: readonly { readonly name: string; readonly triangles: number }[];
}

/** A picture of one person. */
export interface PersonScene {
  /** Shows a person with some dimensions. */
  show(data: PersonData, marked: ReadonlySet<string>): void;
  /** Draws the picture, and moves the labels to their places. */
  draw(eye: Eye, labels: HTMLElement | null): void;
  /** Draws the picture into another canvas, as wide and high as that, and moves the labels there. */
  drawStill(eye: Eye, labels: HTMLElement | null, still: HTMLCanvasElement): void;
  /** Reads the colours of the page again. */
  recolour(): void;
  dispose(): void;
}

/** Tenths of mm in a mm. */
const STEPS_PER_MM = 10;
const FIELD_DEGREES = 28;
const GRID_MM = { size: 2400, step: 100 } as const;
const SEAT_MM = { width: 460, depth: 420, thick: 40 } as const;
const LINE_PX = 2.5;
/** Size of a still picture, which fits a page of A4, and its pixels for each of these. */
const STILL_PX = { width: 640, height: 360 } as const;
const STILL_PIXEL_RATIO = 3;
/** Lines behind the body are this faint. */
const HIDDEN_OPACITY = 0.3;

/** @throws Error where the browser has no WebGL */
export function createScene(canvas: HTMLCanvasElement, surface: SurfaceData): PersonScene {
  const renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
  renderer.outputColorSpace = SRGBColorSpace;
  const scene = new Scene();
  const camera = new PerspectiveCamera(FIELD_DEGREES, 1, 50, 40_000);
  const sky = new HemisphereLight(0xffffff, 0x8a8f96, 1.5);
  const lamp = new DirectionalLight(0xffffff, 1.6);
  const grid = new GridHelper(GRID_MM.size, GRID_MM.size / GRID_MM.step);
  scene.add(sky, lamp, lamp.target, grid, camera);

  const geometry = new BufferGeometry();
  geometry.setIndex(new BufferAttribute(new Uint16Array(bytesOf(surface.triangles).buffer), 1));
  let from = 0;
  const materials = surface.materials.map(({ name, triangles }, index) => {
    geometry.addGroup(from, 3 * triangles, index);
    from += 3 * triangles;
    return { name, material: new MeshLambertMaterial() };
  });
  const body = new Mesh(
    geometry,
    materials.map(({ material }) => material),
  );
  scene.add(body);

  const seatGeometry = new BoxGeometry(SEAT_MM.width, SEAT_MM.thick, SEAT_MM.depth);
  const seatMaterial = new LineBasicMaterial();
  const seat = new LineSegments(new EdgesGeometry(seatGeometry), seatMaterial);
  scene.add(seat);

  const lineGeometry = new LineSegmentsGeometry();
  const line = (hidden: boolean) =>
    new LineMaterial({
      linewidth: LINE_PX,
      side: DoubleSide,
      depthTest: !hidden,
      transparent: hidden,
      opacity: hidden ? HIDDEN_OPACITY : 1,
    });
  const lineMaterials = [line(true), line(false)];
  for (const material of lineMaterials) {
    const lines = new LineSegments2(lineGeometry, material);
    lines.frustumCulled = false;
    scene.add(lines);
  }

  let places: ReadonlyMap<string, Vector3> = new Map();
  let centre = new Vector3(0, 850, 0);
  /** Half of the height and of the breadth of what is shown, mm. */
  let half = { height: 900, breadth: 500 };

  const recolour = (): void => {
    const style = getComputedStyle(canvas);
    const colour = (name: string) => new Color(style.getPropertyValue(name).trim());
    const own: Readonly<Record<string, string>> = {
      skin: '--person-skin',
      suit: '--person-suit',
      eyes: '--person-eyes',
    };
    for (const { name, material } of materials) {
      material.color = colour(own[name] ?? '--person-skin');
    }
    for (const material of lineMaterials) material.color = colour('--person-line');
    seatMaterial.color = colour('--person-seat');
    const gridMaterial = grid.material;
    gridMaterial.vertexColors = false;
    gridMaterial.color = colour('--person-grid');
    gridMaterial.needsUpdate = true;
  };
  recolour();

  const drawAs = (
    { yawDegrees, pitchDegrees, zoom }: Eye,
    labels: HTMLElement | null,
    { width, height, pixelRatio }: Readonly<Record<'width' | 'height' | 'pixelRatio', number>>,
  ): void => {
    renderer.setPixelRatio(pixelRatio);
    renderer.setSize(width, height, false);
    for (const material of lineMaterials) material.resolution.set(width, height);
    camera.aspect = width / height;
    const slope = Math.tan((FIELD_DEGREES / 2) * (Math.PI / 180));
    const far =
      Math.max((half.height * 1.16) / slope, (half.breadth * 1.25) / (slope * camera.aspect)) /
      zoom;
    const [yaw, pitch] = [yawDegrees, pitchDegrees].map((degrees) => (degrees * Math.PI) / 180);
    const [level, up] = [Math.cos(pitch ?? 0), Math.sin(pitch ?? 0)];
    camera.position.set(
      centre.x + far * level * Math.sin(yaw ?? 0),
      centre.y + far * up,
      centre.z + far * level * Math.cos(yaw ?? 0),
    );
    camera.lookAt(centre);
    camera.updateProjectionMatrix();
    lamp.position.copy(camera.position).add(new Vector3(0, 900, 0));
    lamp.target.position.copy(centre);
    renderer.render(scene, camera);
    const all = [...(labels?.querySelectorAll<HTMLElement>('[data-measurement]') ?? [])];
    const boxes = all.flatMap((label) => {
      const place = places.get(label.dataset.measurement ?? '');
      if (place === undefined) return [];
      const { x, y } = place.clone().project(camera);
      const { offsetWidth, offsetHeight } = label;
      // Above the point, so that the line can be seen.
      const at = {
        x: ((x + 1) / 2) * width,
        y: ((1 - y) / 2) * height - 0.7 * offsetHeight,
      };
      return [{ label, ...at, width: offsetWidth, height: offsetHeight }];
    });
    for (const [index, { x, y }] of placeLabels(boxes, { width, height }).entries()) {
      const { style } = (boxes[index] as (typeof boxes)[number]).label;
      style.left = `${x}px`;
      style.top = `${y}px`;
    }
  };

  return {
    recolour,
    show({ positions, lines, seatMm, pose }, marked) {
      const steps = new Int16Array(bytesOf(positions).buffer);
      const points = Float32Array.from(steps, (step) => step / STEPS_PER_MM);
      geometry.setAttribute('position', new BufferAttribute(points, 3));
      geometry.computeVertexNormals();
      geometry.computeBoundingBox();
      const { boundingBox } = geometry;
      const shown = lines.filter(({ measurement }) => marked.has(measurement));
      const segments = shown.flatMap((one) =>
        one.lines.flatMap((way) =>
          way.slice(1).flatMap((point, index) => [...(way[index] ?? point), ...point]),
        ),
      );
      // An empty geometry would be refused.
      lineGeometry.setPositions(segments.length > 0 ? segments : [0, 0, 0, 0, 0, 0]);
      places = new Map(
        shown.map(({ measurement, label: [x, y, z] }) => [measurement, new Vector3(x, y, z)]),
      );
      seat.visible = pose === 'sitting' && seatMm !== undefined;
      seat.position.set(0, (seatMm ?? 0) - SEAT_MM.thick / 2, SEAT_MM.depth / 2 - 200);
      const top = boundingBox?.max.y ?? 1700;
      const deep = Math.max(boundingBox?.max.z ?? 300, -(boundingBox?.min.z ?? -300));
      centre = new Vector3(0, top / 2, ((boundingBox?.max.z ?? 0) + (boundingBox?.min.z ?? 0)) / 2);
      half = { height: top / 2, breadth: Math.max(deep, boundingBox?.max.x ?? 400, 380) };
    },
    draw(eye, labels) {
      const { clientWidth: width, clientHeight: height } = canvas;
      if (width === 0 || height === 0) return;
      drawAs(eye, labels, { width, height, pixelRatio: Math.min(devicePixelRatio, 2) });
    },
    drawStill(eye, labels, still) {
      const { width, height } = STILL_PX;
      drawAs(eye, labels, { width, height, pixelRatio: STILL_PIXEL_RATIO });
      still.width = canvas.width;
      still.height = canvas.height;
      // A canvas of WebGL keeps its picture only until the browser has shown it.
      still.getContext('2d')?.drawImage(canvas, 0, 0);
    },
    dispose() {
      for (const { material } of materials) material.dispose();
      for (const material of [...lineMaterials, seatMaterial]) material.dispose();
      for (const one of [geometry, lineGeometry, seatGeometry]) one.dispose();
      renderer.dispose();
    },
  };
}

/** The bytes of a base64 text. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}
