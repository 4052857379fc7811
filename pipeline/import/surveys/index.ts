import type { Importer } from '../importer.js';
import { ALLOWANCES } from './allowances.js';
import { ASRAN_2015 } from './asran-2015.js';
import { JME_2021, JME_2024, LBW_2023 } from './child-surveys.js';
import { NZDFAS_2016, POPOVIC_2017, WORLD, WORLD_MORE } from './compilations.js';
import { CDC_2000, WHO_2006, WHO_2007 } from './growth-references.js';
import { JAPAN_SCHOOL } from './japan-school.js';
import { KOREA_2015 } from './korea-2015.js';
import { ANSUR1_HEADBOARD, HAND_LITERATURE, HEIGHT_LOSS, STATURE_SD } from './literature.js';
import * as bmi from './ncdrisc-2024-bmi.js';
import { NCDRISC_2016, NCDRISC_2020, NCDRISC_2020_CHILDREN } from './ncdrisc-heights.js';
import { NHANES } from './nhanes.js';
import { NHANES_PERSONS } from './nhanes-persons.js';
import { SNYDER_1977 } from './snyder-1977.js';
import * as soldiers from './soldiers.js';
import { WPP_2022 } from './wpp-2022.js';

/** All importers, in the order `--help` lists them. */
export const IMPORTERS: readonly Importer[] = [
  ...[soldiers.ANSUR2, soldiers.ANSUR2_ORIGINS, soldiers.ANSUR2_PERSONS],
  ...[soldiers.ANSUR1, ANSUR1_HEADBOARD, soldiers.ANSUR1_PERSONS, soldiers.ANSUR1_REACH],
  ...[soldiers.USAF_1967, SNYDER_1977, NHANES, NHANES_PERSONS, CDC_2000, WHO_2006, WHO_2007],
  ...[JME_2021, JME_2024, LBW_2023, NCDRISC_2016, NCDRISC_2020, NCDRISC_2020_CHILDREN],
  ...[bmi.NCDRISC_2024_BMI, bmi.NCDRISC_2024_BMI_YEARS, bmi.NCDRISC_2024_BMI_CHILDREN],
  ...[bmi.NCDRISC_2024_CLASSES, bmi.NCDRISC_2026_THIN],
  ...[STATURE_SD, HEIGHT_LOSS, HAND_LITERATURE, ALLOWANCES, WORLD, POPOVIC_2017, WORLD_MORE],
  ...[NZDFAS_2016, ASRAN_2015, KOREA_2015, JAPAN_SCHOOL, WPP_2022],
];
