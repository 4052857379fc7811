/**
 * Names of all migrations. They sort in the order of application and never change. They are
 * separate from the migrations because those load Kysely: see `isUpToDate`.
 */
export const MIGRATION_NAMES = [
  '0001-accounts-and-ledger',
  '0002-many-nodes',
  '0003-people',
  '0004-payments',
  '0005-key-ends',
  '0006-ledger-order',
  '0007-debts',
  '0008-ledger-partitions',
  '0009-one-time-forms',
] as const;
