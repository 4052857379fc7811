import { basename } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.js';
import { ArtifactError } from './lookup/errors.js';
import { openArtifact, openVerified, versionFolder } from './lookup/open-artifact.js';
import type { ArtifactViews } from './lookup/reader.js';
import { verifyApart } from './lookup/verify-apart.js';
import { type FileIdentities, fileIdentities, sameFiles } from './lookup/version.js';
import { PredictionModel } from './operations/prediction-model.js';

/** Result of an attempt to switch. */
export type SwitchOutcome = 'switched' | 'unchanged' | 'refused';

/** Dependencies of a model switch. */
export interface ModelInUseParts {
  readonly config: Pick<Config, 'artifactsDir' | 'artifactVersion'>;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Is told every attempt to switch, for metrics. */
  readonly observer?: ((outcome: SwitchOutcome) => void) | undefined;
}

/** An open version and its files. */
interface Opened {
  readonly folder: string;
  readonly files: FileIdentities | undefined;
  readonly model: PredictionModel;
}

/**
 * Holds the model in use, and replaces it while requests are answered. A request takes the model once and is answered
 * without interruption, so it sees only one version. The files of the old version are unmapped when nothing refers to
 * them any more.
 */
export class ModelInUse {
  readonly #parts: ModelInUseParts;
  readonly #closed = new AbortController();
  #opened: Opened;
  #running: Promise<SwitchOutcome> | undefined;
  #next: Promise<SwitchOutcome> | undefined;

  /**
   * Opens the first version.
   *
   * @throws ArtifactError if it cannot be opened
   */
  constructor(parts: ModelInUseParts) {
    this.#parts = parts;
    const { artifactsDir, artifactVersion } = parts.config;
    const folder = versionFolder(artifactsDir, artifactVersion);
    const files = fileIdentities(folder);
    this.#opened = opened(folder, files, openArtifact(artifactsDir, basename(folder)));
  }

  /** The model for the current request. */
  readonly model = (): PredictionModel => this.#opened.model;

  /**
   * Switches to the current version: verifies it in full in another process, opens it and uses it. If the version is
   * not valid, the fault is logged and the old version stays. Never rejects. Calls during a switch cause one more
   * switch after it.
   */
  reload(): Promise<SwitchOutcome> {
    if (this.#running === undefined) {
      this.#running = this.#attempt().finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    }
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      return this.reload();
    });
    return this.#next;
  }

  /** Stops a verification in progress; the open version stays open. */
  close(): void {
    this.#closed.abort();
  }

  async #attempt(): Promise<SwitchOutcome> {
    const { config, log, observer } = this.#parts;
    const serving = this.#opened.model.artifactVersion;
    const startedMs = performance.now();
    let outcome: SwitchOutcome = 'refused';
    try {
      const folder = versionFolder(config.artifactsDir, config.artifactVersion);
      const now = fileIdentities(folder);
      if (folder === this.#opened.folder && sameFiles(now, this.#opened.files)) {
        outcome = 'unchanged';
        log.info({ artifact: serving, pinned: config.artifactVersion }, 'artifacts unchanged');
      } else {
        log.info({ artifact: serving, folder }, 'verifying artifacts');
        const files = await verifyApart(folder, this.#closed.signal);
        const openingMs = performance.now();
        this.#opened = opened(folder, files, openVerified(folder, files));
        const [ms, heldMs] = [startedMs, openingMs].map((from) => performance.now() - from);
        const artifact = this.#opened.model.artifactVersion;
        outcome = 'switched';
        log.info({ artifact, before: serving, ms, held_ms: heldMs }, 'artifacts switched');
      }
    } catch (error) {
      if (this.#closed.signal.aborted) return 'refused';
      const { fault, file } = error instanceof ArtifactError ? error : {};
      log.error(
        { err: error, fault, file, artifact: serving },
        'artifacts refused; the old ones stay in use',
      );
    }
    observer?.(outcome);
    return outcome;
  }
}

function opened(folder: string, files: FileIdentities | undefined, views: ArtifactViews): Opened {
  return { folder, files, model: new PredictionModel(views) };
}
