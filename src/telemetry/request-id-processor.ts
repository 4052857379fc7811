import { type AttributeValue, type Context, trace } from '@opentelemetry/api';
import type { Span, SpanProcessor } from '@opentelemetry/sdk-trace-node';

/** The attribute of a span that holds the id of the request, as log lines and the ledger name it. */
export const REQUEST_ID = 'vitruvia.request_id';

/** Copies the id of the request from each span to the spans inside it. */
export class RequestIdProcessor implements SpanProcessor {
  onStart(span: Span, parentContext: Context): void {
    if (span.attributes[REQUEST_ID] !== undefined) return;
    const id = requestIdOf(trace.getSpan(parentContext));
    if (id !== undefined) span.setAttribute(REQUEST_ID, id);
  }

  onEnd(): void {
    // Spans are complete when they start.
  }

  async forceFlush(): Promise<void> {
    // Nothing is kept here.
  }

  async shutdown(): Promise<void> {
    // Nothing is kept here.
  }
}

/** The id in the attributes of a span of this process; spans of other processes have none here. */
function requestIdOf(span: object | undefined): AttributeValue | undefined {
  if (span === undefined || !('attributes' in span)) return undefined;
  const { attributes } = span as Pick<Span, 'attributes'>;
  return attributes[REQUEST_ID];
}
