import { Cluster, type Redis } from 'ioredis';

/** A setting with which Redis can lose charges that are not booked yet. */
export interface SettingsFault {
  readonly kind: 'policy' | 'no_file' | 'evicted';
  /** The fault, and the line to change. */
  readonly text: string;
}

/** Sections of INFO with the settings. CONFIG is often forbidden, INFO is not. */
export const SETTINGS_SECTIONS = ['memory', 'persistence', 'stats'] as const;
const READ_EVERY_MS = 2000;

/** The faults that INFO shows. */
export function settingsFaults(info: string): readonly SettingsFault[] {
  const value = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1];
  const faults: SettingsFault[] = [];
  const policy = value('maxmemory_policy');
  if (policy !== 'noeviction') {
    const text = `maxmemory-policy ${policy} deletes charges and balances when the memory is full: set maxmemory-policy noeviction`;
    faults.push({ kind: 'policy', text });
  }
  if (value('aof_enabled') !== '1') {
    const text =
      'without an append-only file a restart loses all that is not booked: set appendonly yes';
    faults.push({ kind: 'no_file', text });
  }
  const evicted = Number(value('evicted_keys'));
  if (evicted > 0) {
    const text = `it has evicted ${evicted} keys, which may be charges and balances: set maxmemory-policy noeviction, run npx vitruvia reconcile until it finds nothing, then CONFIG RESETSTAT or a restart`;
    faults.push({ kind: 'evicted', text });
  }
  return faults;
}

/** Reads the settings of every master again and again, and says when the service must not charge. */
export class SettingsWatch {
  readonly #redis: Redis | Cluster;
  readonly #production: boolean;
  readonly #onChange: (faults: readonly SettingsFault[]) => void;
  #faults: readonly SettingsFault[] = [];
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /**
   * @param production whether every fault refuses; otherwise only evicted keys do
   * @param onChange is called when the faults change; without faults if all is well again
   */
  constructor(
    redis: Redis | Cluster,
    production: boolean,
    onChange: (faults: readonly SettingsFault[]) => void,
  ) {
    this.#redis = redis;
    this.#production = production;
    this.#onChange = onChange;
  }

  /** Whether charges could be lost. While Redis is away, what it said last counts. */
  get refuses(): boolean {
    return this.#faults.some(({ kind }) => this.#production || kind === 'evicted');
  }

  /** Reads the settings once, and then every two seconds. Never rejects. */
  async start(): Promise<void> {
    const nodes = this.#redis instanceof Cluster ? this.#redis.nodes('master') : [this.#redis];
    const infos = await Promise.allSettled(nodes.map((node) => node.info(...SETTINGS_SECTIONS)));
    if (this.#closed) return;
    const told = infos.flatMap((info) => (info.status === 'fulfilled' ? info.value : []));
    if (told.length > 0) this.#take(told.flatMap(settingsFaults));
    this.#timer = setTimeout(() => void this.start(), READ_EVERY_MS).unref();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #take(faults: readonly SettingsFault[]): void {
    const kinds = (list: readonly SettingsFault[]) => list.map(({ kind }) => kind).join();
    const before = kinds(this.#faults);
    this.#faults = faults;
    if (kinds(faults) !== before) this.#onChange(faults);
  }
}
