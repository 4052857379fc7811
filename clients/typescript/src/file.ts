import { bytesOf } from './stream.js';
import type { Call, Transport } from './transport.js';

/** A file that answers a call. */
export interface FileAnswer {
  readonly bytes: Uint8Array;
  /** Its media type, such as `model/gltf-binary`. */
  readonly contentType: string;
  /** Hash of the request and of the data behind the answer. */
  readonly etag: string | undefined;
  /** Largest difference between asked and achieved values of the body, mm. Only an answer with one body has it. */
  readonly worstMm: number | undefined;
}

/** Reads the file that answers a call. A cut connection is handled as in `openStream`. */
export async function readFile(transport: Transport, call: Call): Promise<FileAnswer> {
  const response = await transport.response(call);
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of bytesOf(transport, call, response)) {
    parts.push(part);
    length += part.length;
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  const { headers } = response;
  const worst = headers.get('vitruvia-body-worst');
  return {
    bytes,
    contentType: headers.get('content-type') ?? '',
    etag: headers.get('etag') ?? undefined,
    worstMm: worst === null ? undefined : Number(worst),
  };
}
