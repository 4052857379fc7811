// Builds a bundle for desktop clients of MCP (https://github.com/modelcontextprotocol/mcpb): one program without
// packages, the current artifact and a manifest. The bundle runs `vitruvia mcp` offline, on any platform with Node.
// Usage: npm run release:mcpb [-- <folder>], after npm run build.
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packExtension, validateManifest } from '@anthropic-ai/mcpb';
import { build } from 'rolldown';

// biome-ignore lint/suspicious/noTemplateCurlyInString: the client writes the folder of the bundle here.
const UNPACKED = '${__dirname}';
const root = fileURLToPath(new URL('..', import.meta.url));
const { currentVersion } = await import('../dist/src/lookup/open-artifact.js');
const { FREE_TOOLS } = await import('../dist/src/mcp/tools.js');
const { version, description, engines } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

const artifacts = process.env.ARTIFACTS_DIR ?? join(root, 'data', 'artifacts');
const artifact = process.env.ARTIFACT_VERSION ?? currentVersion(artifacts);
if (artifact === undefined) throw new Error('There is no artifact; run: npm run pipeline');

const target = resolve(process.argv[2] ?? join(root, 'data', 'releases'));
const bundle = join(target, `vitruvia-${version}-${artifact}.mcpb`);
const folder = join(target, 'mcpb');
rmSync(folder, { recursive: true, force: true });
mkdirSync(join(folder, 'server'), { recursive: true });

const entry = join(root, 'dist', 'mcpb-entry.js');
writeFileSync(entry, "import { serveTools } from './src/cli/mcp.js';\nserveTools();\n");
await build({
  input: entry,
  platform: 'node',
  logLevel: 'warn',
  // koffi maps the artifact into memory. Its programs differ between platforms. Without koffi, the file is read.
  external: ['koffi'],
  output: {
    file: join(folder, 'server', 'main.js'),
    codeSplitting: false,
    minify: { compress: false, mangle: false },
  },
});
// With this file, the program finds its folder.
writeFileSync(
  join(folder, 'package.json'),
  JSON.stringify({ name: 'vitruvia', version, type: 'module' }),
);

cpSync(join(artifacts, artifact), join(folder, 'artifacts', artifact), {
  recursive: true,
  // The stamp contains names of files of this machine, so it is left out.
  filter: (path) => !path.endsWith('verified.json'),
});
writeFileSync(join(folder, 'artifacts', 'current'), `${artifact}\n`);

writeFileSync(
  join(folder, 'manifest.json'),
  JSON.stringify(
    {
      manifest_version: '0.3',
      name: 'vitruvia',
      display_name: 'Vitruvia',
      version,
      description,
      long_description: `${description} Answers come from the artifact ${artifact} in the bundle. It needs no account, no key and no network.`,
      author: { name: 'Vitruvia' },
      server: {
        type: 'node',
        entry_point: 'server/main.js',
        mcp_config: {
          command: 'node',
          args: [`${UNPACKED}/server/main.js`],
          env: { ARTIFACTS_DIR: `${UNPACKED}/artifacts` },
        },
      },
      tools: FREE_TOOLS.map(({ name, title }) => ({ name, description: title })),
      keywords: ['anthropometry', 'ergonomics', 'body measurements'],
      compatibility: {
        platforms: ['darwin', 'win32', 'linux'],
        runtimes: { node: engines.node },
      },
    },
    undefined,
    2,
  ),
);
if (!validateManifest(join(folder, 'manifest.json'))) process.exit(1);
rmSync(bundle, { force: true });
const begun = performance.now();
if (!(await packExtension({ extensionPath: folder, outputPath: bundle, silent: true }))) {
  process.exit(1);
}
rmSync(folder, { recursive: true, force: true });
rmSync(entry, { force: true });
const seconds = ((performance.now() - begun) / 1000).toFixed(0);
const megabytes = (statSync(bundle).size / 1e6).toFixed(1);
process.stdout.write(`${bundle}\n${megabytes} MB, packed in ${seconds} s\n`);
