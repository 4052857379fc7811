import { join } from 'node:path';
import { currentVersion, openArtifact } from '../../src/lookup/open-artifact.js';
import { PredictionModel } from '../../src/operations/prediction-model.js';
import { writeTinyArtifact } from './tiny-artifact.js';

let invented: string | undefined;

/** Folder of the invented people that the files of a worker share. A test that changes them must write its own. */
export function tinyArtifacts(): string {
  invented ??= writeTinyArtifact();
  return invented;
}

const models = new Map<string, PredictionModel>();

/** The model of the current version of a folder. The files of a worker share what it computes once. */
export function modelOf(artifactsDir: string): PredictionModel {
  const key = join(artifactsDir, currentVersion(artifactsDir) ?? '');
  const model = models.get(key) ?? new PredictionModel(openArtifact(artifactsDir));
  models.set(key, model);
  return model;
}

/** The model of the invented people. */
export const tinyModel = (): PredictionModel => modelOf(tinyArtifacts());
