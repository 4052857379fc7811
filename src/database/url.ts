/** Whether a database URL names a PostgreSQL; any other must name a SQLite file. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//i.test(url);
}
