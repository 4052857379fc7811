import type { Importer } from '../importer.js';
import { ANSUR1 } from './ansur1.js';
import { ANSUR2 } from './ansur2.js';
import { NHANES } from './nhanes.js';
import { SNYDER_1977 } from './snyder-1977.js';
import { USAF_1967 } from './usaf-1967.js';

/** All importers, in the order `--help` lists them. */
export const IMPORTERS: readonly Importer[] = [ANSUR2, ANSUR1, USAF_1967, SNYDER_1977, NHANES];
