/**
 * Builds the web board into files ready to be served: one script, one stylesheet, both named by their content, and
 * the page that loads them. Used by the local server, the deployment and the tests alike.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export interface WebFile {
  readonly body: Uint8Array;
  readonly contentType: string;
  /** Its name changes with its content, so it may be kept for good. */
  readonly immutable: boolean;
}

/** Files by the path that they are served at, `/index.html` among them. */
export type WebFiles = ReadonlyMap<string, WebFile>;

const HERE = fileURLToPath(new URL('.', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** Takes about a third of a second. @throws Error with esbuild's messages when the sources do not compile. */
export async function buildWeb(): Promise<WebFiles> {
  // Loaded here, so that a server whose board nobody opens never loads it.
  const esbuild = await import('esbuild');
  const result = await esbuild.build({
    entryPoints: [`${HERE}src/main.tsx`],
    outdir: `${HERE}dist/assets`,
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: ['es2022', 'chrome120', 'firefox121', 'safari17'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const files = new Map<string, WebFile>();
  let page = await readFile(`${HERE}index.html`, 'utf8');
  for (const output of result.outputFiles) {
    const name = output.path.slice(output.path.lastIndexOf('/') + 1);
    const extension = name.slice(name.lastIndexOf('.') + 1);
    files.set(`/assets/${name}`, {
      body: output.contents,
      contentType: TYPES[extension] ?? 'application/octet-stream',
      immutable: true,
    });
    page = page.replace(`/assets/main.${extension}`, `/assets/${name}`);
  }
  files.set('/favicon.svg', {
    body: await readFile(`${HERE}favicon.svg`),
    contentType: 'image/svg+xml',
    immutable: false,
  });
  files.set('/index.html', {
    body: Buffer.from(page),
    contentType: 'text/html; charset=utf-8',
    immutable: false,
  });
  return files;
}
