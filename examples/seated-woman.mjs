// How much room does a small woman of Japan need on a chair? The program asks for her body, writes it as a
// file for CAD, and opens the file: its mesh, its bones and its landmarks.
import { writeFile } from 'node:fs/promises';
import { NodeIO } from '@gltf-transform/core';
import { createVitruvia, VitruviaError } from '@vitruvia/client';

// A refusal or a missing service ends the program with one line.
process.on('uncaughtException', (error) => {
  console.error(error instanceof VitruviaError ? error.message : error);
  process.exit(1);
});

const vitruvia = createVitruvia({
  baseUrl: process.env.VITRUVIA_URL ?? 'http://127.0.0.1:3000',
  apiKey: process.env.VITRUVIA_API_KEY,
});

const person = {
  gender: 'Female',
  age: 34,
  country: 'JP',
  known: [{ measurement: 'Stature', percentile: 5 }],
};
const file = await vitruvia.file('body', { person, pose: 'sitting', format: 'glb' });
await writeFile('seated-woman.glb', file.bytes);

const root = (await new NodeIO().read('seated-woman.glb')).getRoot();
const mm = (metres) => `${Math.round(metres * 1000)} mm`;

// The vertices of a skinned mesh are in metres, Y up, facing +Z, with the soles of the feet at 0.
const vertices = root.listMeshes()[0].listPrimitives()[0].getAttribute('POSITION');
const from = vertices.getMinNormalized([]);
const to = vertices.getMaxNormalized([]);
const [width, height, depth] = to.map((end, axis) => mm(end - from[axis]));
console.log(`She takes ${width} across, ${height} in height and ${depth} in depth.`);

// Each landmark is an empty node below the node `landmarks`.
const landmarks = root.listNodes().find((node) => node.getName() === 'landmarks');
for (const node of landmarks.listChildren()) {
  const [, above] = node.getTranslation();
  console.log(`${node.getName()}: ${mm(above)} above the floor`);
}

console.log(`The mesh has ${root.listSkins()[0].listJoints().length} bones.`);
const { report } = root.getAsset().extras;
for (const { measurement, asked, achieved } of report.measurements) {
  if (measurement !== 'SittingHeight') continue;
  console.log(`Sitting height: ${asked} mm asked, ${achieved} mm achieved.`);
}
console.log(`No dimension differs by more than ${file.worstMm} mm.`);
