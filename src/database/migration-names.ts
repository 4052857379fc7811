/**
 * Names of all migrations; they sort in the order of application and never change. Apart from the
 * migrations themselves, which load Kysely: see `isUpToDate`.
 */
export const MIGRATION_NAMES = [
  '0001-accounts-and-ledger',
  '0002-many-nodes',
  '0003-people',
  '0004-payments',
  '0005-key-ends',
] as const;
