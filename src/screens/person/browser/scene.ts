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
  Vector3,
  WebGLRenderer,
} from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import type { BodySurface } from '../../shared/page-tasks.js';
import type { PersonData } from '../data-types.js';
import type { Eye } from './eye.js';
import { flatRenderer } from './flat-renderer.js';
import {
  bytesOf,
  eyePlace,
  FIELD_DEGREES,
  FIRST_FRAME,
  frameOf,
  GRID_MM,
  moveLabels,
  positionsOf,
  SEAT_MM,
  seatPlace,
} from './frame.js';

// Only this file and the renderer need three.js. So three.js is a file of its own that only the Person screen loads.

/** Size of a still picture. It fits a page of A4. `STILL_PIXEL_RATIO` is its number of pixels per CSS pixel. */
const STILL_PX = { width: 640, height: 360 } as const;
const STILL_PIXEL_RATIO = 3;
/** Width of the lines of dimensions. */
const LINE_PX = 2.5;
/** Opacity of lines behind the body. */
const HIDDEN_OPACITY = 0.3;
/** What is drawn before and after the person, where nothing but the order decides what covers what. */
const [BEFORE, AFTER] = [-1, 1];

/** A picture of one person. */
export type PersonScene = ReturnType<typeof createScene>;

/**
 * A picture of one person.
 *
 * @param isFlat whether to draw without WebGL
 * @throws Error where the browser has no WebGL, or no canvas
 */
export function createScene(canvas: HTMLCanvasElement, surface: BodySurface, isFlat: boolean) {
  const scene = new Scene();
  const camera = new PerspectiveCamera(FIELD_DEGREES, 1, 50, 40_000);
  const sky = new HemisphereLight(0xffffff, 0x8a8f96, 1.5);
  const lamp = new DirectionalLight(0xffffff, 1.6);
  const renderer = isFlat
    ? flatRenderer(canvas, lamp)
    : new WebGLRenderer({ canvas, antialias: true, alpha: true });
  const grid = new GridHelper(GRID_MM.size, GRID_MM.size / GRID_MM.step);
  grid.renderOrder = BEFORE;
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

  // WebGL draws thin lines only, so that thick ones are a mesh.
  const lineGeometry = new LineSegmentsGeometry();
  const flatGeometry = new BufferGeometry();
  const allLines = [true, false].map((hidden) => {
    const look = {
      ...{ linewidth: LINE_PX, depthTest: !hidden, transparent: hidden },
      opacity: hidden ? HIDDEN_OPACITY : 1,
    };
    const lines = isFlat
      ? new LineSegments(flatGeometry, new LineBasicMaterial(look))
      : new LineSegments2(lineGeometry, new LineMaterial({ ...look, side: DoubleSide }));
    lines.frustumCulled = false;
    if (isFlat && hidden) lines.renderOrder = AFTER;
    scene.add(lines);
    return lines;
  });

  let places: ReadonlyMap<string, Vector3> = new Map();
  let frame = FIRST_FRAME;

  const recolour = (): void => {
    const style = getComputedStyle(canvas);
    const colour = (name: string) => new Color(style.getPropertyValue(name).trim());
    for (const { name, material } of materials) material.color = colour(`--person-${name}`);
    for (const { material } of allLines) material.color = colour('--person-line');
    seatMaterial.color = colour('--person-seat');
    const gridMaterial = grid.material;
    gridMaterial.vertexColors = false;
    gridMaterial.color = colour('--person-grid');
    gridMaterial.needsUpdate = true;
  };
  recolour();

  const drawAs = (
    eye: Eye,
    labels: HTMLElement | null,
    { width, height, pixelRatio }: Readonly<Record<'width' | 'height' | 'pixelRatio', number>>,
  ): void => {
    renderer.setPixelRatio(pixelRatio);
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    camera.position.set(...eyePlace(frame, eye, camera.aspect));
    camera.lookAt(...frame.centre);
    camera.updateProjectionMatrix();
    lamp.position.copy(camera.position).add(new Vector3(0, 900, 0));
    lamp.target.position.set(...frame.centre);
    renderer.render(scene, camera);
    const inPicture = (place: Vector3) => {
      const { x, y } = place.clone().project(camera);
      return { x: ((x + 1) / 2) * width, y: ((1 - y) / 2) * height };
    };
    const pointOf = (measurement: string) => {
      const place = places.get(measurement);
      return place && inPicture(place);
    };
    if (geometry.boundingBox === null) return;
    const { min, max } = geometry.boundingBox;
    const across = [min.x, max.x].flatMap((x) =>
      [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => inPicture(new Vector3(x, y, z)).x)),
    );
    moveLabels(labels, pointOf, [Math.min(...across), Math.max(...across)], { width, height });
  };

  return {
    /** Reads the colours of the page again. */
    recolour,
    /** Shows a person who has a body, with some dimensions. */
    show({ positions, lines, seatMm, pose }: PersonData, marked: ReadonlySet<string>): void {
      const points = positionsOf(positions ?? '');
      geometry.setAttribute('position', new BufferAttribute(points, 3));
      geometry.computeVertexNormals();
      geometry.computeBoundingSphere();
      geometry.computeBoundingBox();
      const shown = lines.filter(({ measurement }) => marked.has(measurement));
      const segments = shown.flatMap((one) =>
        one.lines.flatMap((way) =>
          way.slice(1).flatMap((point, index) => [...(way[index] ?? point), ...point]),
        ),
      );
      // An empty geometry would be refused.
      const ends = Float32Array.from(segments.length > 0 ? segments : [0, 0, 0, 0, 0, 0]);
      lineGeometry.setPositions(ends);
      flatGeometry.setAttribute('position', new BufferAttribute(ends, 3));
      places = new Map(
        shown.map(({ measurement, label: [x, y, z] }) => [measurement, new Vector3(x, y, z)]),
      );
      seat.visible = pose === 'sitting' && seatMm !== undefined;
      seat.position.set(...seatPlace(seatMm ?? 0));
      frame = frameOf(points);
    },
    /** Draws the picture, and moves the labels to their places. */
    draw(eye: Eye, labels: HTMLElement | null): void {
      const { clientWidth: width, clientHeight: height } = canvas;
      if (width === 0 || height === 0) return;
      drawAs(eye, labels, { width, height, pixelRatio: Math.min(devicePixelRatio, 2) });
    },
    /** Draws the picture into the canvas `still` in the size of a still picture, and moves the labels there. */
    drawStill(eye: Eye, labels: HTMLElement | null, still: HTMLCanvasElement): void {
      const { width, height } = STILL_PX;
      drawAs(eye, labels, { width, height, pixelRatio: STILL_PIXEL_RATIO });
      still.width = canvas.width;
      still.height = canvas.height;
      // A WebGL canvas loses its picture after the browser has shown it. So the picture is copied at once.
      still.getContext('2d')?.drawImage(canvas, 0, 0);
    },
    dispose(): void {
      for (const { material } of [...materials, ...allLines, seat]) material.dispose();
      for (const one of [geometry, lineGeometry, flatGeometry, seatGeometry]) one.dispose();
      renderer.dispose();
    },
  };
}
