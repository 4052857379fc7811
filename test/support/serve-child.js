// A server process of its own, for tests that send signals: `serve-child <folder of the service's
// modules>`. It prints its addresses as JSON. It is plain JavaScript, so that it starts as fast as
// the service itself.

const [folder] = process.argv.slice(2);
const [{ readConfig }, { startServer }, { catchHangups, closeOnSignals }] = await Promise.all(
  ['config', 'server', 'signals'].map((name) => import(`${folder}${name}.js`)),
);
const hangups = catchHangups();
const server = await startServer(readConfig(process.env));
await closeOnSignals(server);
hangups.obey(server);
const { address, metricsAddress } = server;
process.stdout.write(`${JSON.stringify({ address, metricsAddress })}\n`);
