import {
  Color,
  type DirectionalLight,
  type LineBasicMaterial,
  type MeshLambertMaterial,
  type PerspectiveCamera,
  type Scene,
  Vector3,
} from 'three';
import {
  Projector,
  type RenderableFace,
  type RenderableLine,
} from 'three/addons/renderers/Projector.js';

// cspell:ignore Renderable
// Draws in browsers without WebGL. Triangles and lines are painted over each other, the farthest first.

/** Share of the light on a side that the lamp does not reach. */
const DARKEST = 0.45;
/** Steps of the light. Browsers read a colour faster that they have read before. */
const SHADES = 31;
/** Distance by which thick lines are nearer to the eye than the skin below them, mm. */
const LINE_NEARER_MM = 40;

type Painted = (RenderableFace | RenderableLine) & {
  readonly material: MeshLambertMaterial | LineBasicMaterial;
};

/**
 * What a scene needs of a `WebGLRenderer`, on a canvas without WebGL.
 *
 * @throws Error if the browser gives no canvas
 */
export function flatRenderer(canvas: HTMLCanvasElement, lamp: DirectionalLight) {
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('this browser draws on no canvas');
  const projector = new Projector();
  const normal = new Vector3();
  const colour = new Color();
  let pixelRatio = 1;
  const styleOf = (one: Painted, toLamp: Vector3): string => {
    colour.copyLinearToSRGB(one.material.color);
    if ('v3' in one) {
      const [k, l, m] = one.vertexNormalsModel as [Vector3, Vector3, Vector3];
      const light = Math.max(0, normal.copy(k).add(l).add(m).normalize().dot(toLamp));
      colour.multiplyScalar(DARKEST + ((1 - DARKEST) * Math.round(light * SHADES)) / SHADES);
    }
    return `rgb(${[colour.r, colour.g, colour.b].map((part) => `${100 * part}%`).join(' ')})`;
  };
  return {
    setPixelRatio(ratio: number): void {
      pixelRatio = ratio;
    },
    setSize(width: number, height: number): void {
      canvas.width = Math.round(width * pixelRatio);
      canvas.height = Math.round(height * pixelRatio);
    },
    render(scene: Scene, camera: PerspectiveCamera): void {
      const { width, height } = canvas;
      const { near, far } = camera;
      const toLamp = lamp.position.clone().sub(lamp.target.position).normalize();
      const distanceMm = ({ z, material }: Painted): number =>
        (2 * near * far) / (far + near - z * (far - near)) -
        ('linewidth' in material && material.linewidth > 1 ? LINE_NEARER_MM : 0);
      const all = (projector.projectScene(scene, camera, false, false).elements as Painted[])
        .map((one) => ({ one, mm: distanceMm(one) }))
        .sort((a, b) => a.one.renderOrder - b.one.renderOrder || b.mm - a.mm);
      context.lineCap = 'round';
      context.lineJoin = 'round';
      for (const { one } of all) {
        context.beginPath();
        const corners = 'v3' in one ? [one.v1, one.v2, one.v3] : [one.v1, one.v2];
        for (const { positionScreen: at } of corners) {
          context.lineTo(((1 + at.x) / 2) * width, ((1 - at.y) / 2) * height);
        }
        context.globalAlpha = one.material.opacity;
        context.strokeStyle = context.fillStyle = styleOf(one, toLamp);
        // The edges of a triangle hide the seam to the next one.
        context.lineWidth =
          pixelRatio * ('linewidth' in one.material ? one.material.linewidth : 0.8);
        if ('v3' in one) {
          context.closePath();
          context.fill();
        }
        context.stroke();
      }
    },
    dispose(): void {},
  };
}
