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
import type { Eye } from './eye.js';
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
import {
  HIDDEN_OPACITY,
  LINE_PX,
  type PersonScene,
  STILL_PIXEL_RATIO,
  STILL_PX,
  type SurfaceData,
} from './scene-types.js';

// Only this file needs three.js. So three.js is a file of its own that only the Person screen loads.

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
  let frame = FIRST_FRAME;

  const recolour = (): void => {
    const style = getComputedStyle(canvas);
    const colour = (name: string) => new Color(style.getPropertyValue(name).trim());
    for (const { name, material } of materials) material.color = colour(`--person-${name}`);
    for (const material of lineMaterials) material.color = colour('--person-line');
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
    for (const material of lineMaterials) material.resolution.set(width, height);
    camera.aspect = width / height;
    camera.position.set(...eyePlace(frame, eye, camera.aspect));
    camera.lookAt(...frame.centre);
    camera.updateProjectionMatrix();
    lamp.position.copy(camera.position).add(new Vector3(0, 900, 0));
    lamp.target.position.set(...frame.centre);
    renderer.render(scene, camera);
    const pointOf = (measurement: string) => {
      const place = places.get(measurement);
      if (place === undefined) return undefined;
      const { x, y } = place.clone().project(camera);
      return { x: ((x + 1) / 2) * width, y: ((1 - y) / 2) * height };
    };
    moveLabels(labels, pointOf, { width, height });
  };

  return {
    recolour,
    show({ positions, lines, seatMm, pose }, marked) {
      const points = positionsOf(positions ?? '');
      geometry.setAttribute('position', new BufferAttribute(points, 3));
      geometry.computeVertexNormals();
      geometry.computeBoundingSphere();
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
      seat.position.set(...seatPlace(seatMm ?? 0));
      frame = frameOf(points);
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
      // A WebGL canvas loses its picture after the browser has shown it. So the picture is copied at once.
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
