/** Name of the service, as `/health` and the catalog give it. */
export const SERVICE_NAME = 'Vitruvia';
/** Version of the service, as the catalog gives it (specification, 9). */
export const SERVICE_VERSION = '0.1.0';

/** The title of the service's first page. It says in one line what the service offers. */
export const SERVICE_TITLE = 'Body measurements for people who design things';
