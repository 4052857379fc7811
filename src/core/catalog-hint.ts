/** How messages point to the catalog; REST is the transport they are written for. */
const OVER_REST = '; GET / lists';

/** A message that names the catalog as another transport does, such as `get_catalog` over MCP. */
export function namingCatalog(message: string, catalog: string): string {
  return message.replaceAll(OVER_REST, `; ${catalog} lists`);
}
