import type { Kysely, Migration } from 'kysely';
import { runAll } from '../dialect.js';

/** The networks from which people have signed in lately. */
export const knownNetworks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await runAll(db, [
      `create table known_networks (
        person_id text not null references people (id) on delete cascade,
        network_hash text not null,
        seen_at_ms bigint not null,
        constraint known_networks_key primary key (person_id, network_hash),
        constraint known_networks_hash check (length(network_hash) = 64))`,
      'create index known_networks_seen on known_networks (seen_at_ms)',
    ]);
  },
};
