import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** File and arguments with which a thread of the program starts. */
export interface ProgramThread {
  readonly file: URL;
  readonly options: { readonly execArgv?: string[] };
}

/**
 * The thread whose file is beside the caller's file. A build runs the built file. Sources (tests, tsx) run the source
 * file. The thread then registers the loader of tsx itself, because `--import tsx` has no effect in a worker on Node
 * 20.
 *
 * @param path of the thread's file, relative to the caller and without the extension
 * @param caller `import.meta.url` of the caller
 */
export function programThread(path: string, caller: string): ProgramThread {
  if (!caller.endsWith('.ts')) return { file: new URL(`${path}.js`, caller), options: {} };
  const loader = pathToFileURL(createRequire(caller).resolve('tsx'));
  const tsx = new URL('./esm/api/index.mjs', loader).href;
  const code = `import { register } from '${tsx}'; register();`;
  return {
    file: new URL(`${path}.ts`, caller),
    options: { execArgv: ['--import', `data:text/javascript,${encodeURIComponent(code)}`] },
  };
}
