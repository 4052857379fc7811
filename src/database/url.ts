/** Whether a database URL names a PostgreSQL database; any other must name a SQLite file. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//i.test(url);
}

/** Parses `postgres://user:password@host:port/database`; undefined for any other text. */
export function parsePostgresUrl(url: string): URL | undefined {
  if (!isPostgresUrl(url) || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  return parsed.pathname.length > 1 ? parsed : undefined;
}
