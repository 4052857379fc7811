import type { PersonData } from '../data-types.js';
import type { Eye } from './eye.js';

/** The triangles that all bodies share, in the form that the service sends. */
export interface SurfaceData {
  readonly triangles: string;
  readonly materials: readonly { readonly name: string; readonly triangles: number }[];
}

/** A picture of one person. */
export interface PersonScene {
  /** Shows a person who has a body, with some dimensions. */
  show(data: PersonData, marked: ReadonlySet<string>): void;
  /** Draws the picture, and moves the labels to their places. */
  draw(eye: Eye, labels: HTMLElement | null): void;
  /** Draws the picture into the canvas `still` in the canvas's size, and moves the labels there. */
  drawStill(eye: Eye, labels: HTMLElement | null, still: HTMLCanvasElement): void;
  /** Reads the colours of the page again. */
  recolour(): void;
  dispose(): void;
}

/** Size of a still picture. It fits a page of A4. `STILL_PIXEL_RATIO` is its number of pixels per CSS pixel. */
export const STILL_PX = { width: 640, height: 360 } as const;
export const STILL_PIXEL_RATIO = 3;
/** Width of the lines of dimensions. */
export const LINE_PX = 2.5;
/** Opacity of lines behind the body. */
export const HIDDEN_OPACITY = 0.3;
