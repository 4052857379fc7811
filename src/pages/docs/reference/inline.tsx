import type { VNode } from 'preact';
import { codeBlock, renderInline } from '../markdown.js';

/** A sentence of the OpenAPI document, which may have code and links in Markdown. */
export function Inline({ text }: { readonly text: string }): VNode {
  // `renderInline` shows raw HTML as text.
  return <span dangerouslySetInnerHTML={{ __html: renderInline(text) }} />;
}

interface CodeProps {
  readonly language: string;
  readonly text: string;
}

/** A block of code with syntax colours. */
export function Code({ language, text }: CodeProps): VNode {
  // `codeBlock` escapes the text.
  return <div dangerouslySetInnerHTML={{ __html: codeBlock(text, language) }} />;
}
