import {
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/**
 * The SDK's server, except that it reports invalid parameters as -32602. For most methods, the SDK itself throws a
 * plain error. It sends this error as -32603, a fault of the server.
 */
export class ProtocolServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        return await wrapped(request, context);
      } catch (error) {
        const found = error instanceof ProtocolError ? undefined : remarks(error);
        if (found === undefined) throw error;
        throw invalidParams(`The parameters of ${method} are not valid: ${found}.`);
      }
    };
  }
}

/** The error -32602. */
export function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** Maximum number of the check's remarks that a message repeats. */
const REMARKS_MAX = 5;

/**
 * The remarks of the SDK's check as part of a sentence; undefined for other errors. The error's message is a list of
 * remarks as JSON.
 */
export function remarks(error: unknown): string | undefined {
  try {
    const found = JSON.parse((error as Error).message) as { path: string[]; message: string }[];
    const texts = found.map(({ path, message }) => `${path.join('.')}: ${message}`);
    return texts.slice(0, REMARKS_MAX).join('; ');
  } catch {
    return undefined;
  }
}
