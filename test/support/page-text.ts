/** The blocks of code on a page, as text. */
export function codeOf(page: string, language: string): string[] {
  const block = new RegExp(`<pre [^>]*data-language="${language}"><code>([^]*?)</code></pre>`, 'g');
  return [...page.matchAll(block)].map(([, text = '']) =>
    unescaped(text.replace(/<\/?span[^>]*>/g, '')),
  );
}

/** HTML text with its entities replaced by their characters. */
export function unescaped(text: string): string {
  const signs = { lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'", amp: '&' };
  return text.replace(/&(lt|gt|quot|#39|#x27|amp);/g, (_, name: keyof typeof signs) => signs[name]);
}

/** The addresses of the same origin that a page links to or loads. */
export function linksOf(page: string): string[] {
  const found = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link = '']) => link);
  return found.filter((link) => link.startsWith('/') || link.startsWith('#'));
}
