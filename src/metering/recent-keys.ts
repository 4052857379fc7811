/** Networks remembered of a key; the oldest is dropped first. */
const NETWORKS_MAX = 8;

/**
 * Keys that were valid not long ago, with the networks they came from. Keys are held only as their
 * hashes. They are kept in two generations: a key that is used moves to the young one; when that is
 * full, it becomes the old one, and the keys of the old one are forgotten.
 */
export class RecentKeys {
  readonly #max: number;
  #young = new Map<string, string[]>();
  #old = new Map<string, string[]>();

  /** @param max keys of a generation */
  constructor(max: number) {
    this.#max = max;
  }

  /** Whether the key was valid from that network. */
  has(network: string, keyHash: string): boolean {
    const networks = this.#young.get(keyHash) ?? this.#revive(keyHash);
    return networks?.includes(network) ?? false;
  }

  add(network: string, keyHash: string): void {
    const networks = this.#young.get(keyHash) ?? this.#revive(keyHash) ?? [];
    if (networks.includes(network)) return;
    networks.push(network);
    if (networks.length > NETWORKS_MAX) networks.shift();
    this.#keep(keyHash, networks);
  }

  delete(keyHash: string): void {
    this.#young.delete(keyHash);
    this.#old.delete(keyHash);
  }

  #revive(keyHash: string): string[] | undefined {
    const networks = this.#old.get(keyHash);
    if (networks !== undefined) this.#keep(keyHash, networks);
    return networks;
  }

  #keep(keyHash: string, networks: string[]): void {
    if (this.#young.size >= this.#max && !this.#young.has(keyHash)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(keyHash, networks);
  }
}
