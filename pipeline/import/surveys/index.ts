import type { Importer } from '../importer.js';
import { ALLOWANCES } from './allowances.js';
import { ANSUR1_PERSONS, ANSUR2_PERSONS } from './ansur-persons.js';
import { ANSUR1 } from './ansur1.js';
import { ANSUR1_HEADBOARD } from './ansur1-headboard.js';
import { ANSUR1_REACH } from './ansur1-reach.js';
import { ANSUR2 } from './ansur2.js';
import { ANSUR2_ORIGINS } from './ansur2-origins.js';
import { ASRAN_2015 } from './asran-2015.js';
import { CDC_2000 } from './cdc-2000.js';
import { HAND_LITERATURE } from './hand-literature.js';
import { HEIGHT_LOSS } from './height-loss.js';
import { JAPAN_SCHOOL } from './japan-school.js';
import { JME_2021 } from './jme-2021.js';
import { JME_2024 } from './jme-2024.js';
import { KOREA_2015 } from './korea-2015.js';
import { LBW_2023 } from './lbw-2023.js';
import { NCDRISC_2016 } from './ncdrisc-2016.js';
import { NCDRISC_2020, NCDRISC_2020_CHILDREN } from './ncdrisc-2020.js';
import {
  NCDRISC_2024_BMI,
  NCDRISC_2024_BMI_CHILDREN,
  NCDRISC_2024_BMI_YEARS,
  NCDRISC_2024_CLASSES,
  NCDRISC_2026_THIN,
} from './ncdrisc-2024-bmi.js';
import { NHANES } from './nhanes.js';
import { NHANES_PERSONS } from './nhanes-persons.js';
import { POPOVIC_2017 } from './popovic-2017.js';
import { SNYDER_1977 } from './snyder-1977.js';
import { STATURE_SD } from './stature-sd.js';
import { USAF_1967 } from './usaf-1967.js';
import { WHO_2006 } from './who-2006.js';
import { WHO_2007 } from './who-2007.js';
import { WORLD } from './world.js';
import { NZDFAS_2016, WORLD_MORE } from './world-more.js';
import { WPP_2022 } from './wpp-2022.js';

/** All importers, in the order `--help` lists them. */
export const IMPORTERS: readonly Importer[] = [
  ANSUR2,
  ANSUR2_ORIGINS,
  ANSUR2_PERSONS,
  ANSUR1,
  ANSUR1_HEADBOARD,
  ANSUR1_PERSONS,
  ANSUR1_REACH,
  USAF_1967,
  SNYDER_1977,
  NHANES,
  NHANES_PERSONS,
  CDC_2000,
  WHO_2006,
  WHO_2007,
  JME_2021,
  JME_2024,
  LBW_2023,
  NCDRISC_2016,
  NCDRISC_2020,
  NCDRISC_2020_CHILDREN,
  NCDRISC_2024_BMI,
  NCDRISC_2024_BMI_YEARS,
  NCDRISC_2024_BMI_CHILDREN,
  NCDRISC_2024_CLASSES,
  NCDRISC_2026_THIN,
  STATURE_SD,
  HEIGHT_LOSS,
  HAND_LITERATURE,
  ALLOWANCES,
  WORLD,
  POPOVIC_2017,
  WORLD_MORE,
  NZDFAS_2016,
  ASRAN_2015,
  KOREA_2015,
  JAPAN_SCHOOL,
  WPP_2022,
];
