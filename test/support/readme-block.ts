/** Code of the README, so that what people paste is what is tested. */
import { readFile } from 'node:fs/promises';

const README = new URL('../../README.md', import.meta.url);

/** The block in this language that has `phrase` in it; throws unless there is one such block. */
export async function readmeBlock(language: string, phrase: string): Promise<string> {
  const text = await readFile(README, 'utf8');
  const fences = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms');
  const blocks = [...text.matchAll(fences)].map(([, block = '']) => block);
  const [found, ...others] = blocks.filter((block) => block.includes(phrase));
  if (found === undefined || others.length > 0)
    throw new Error(`No one block of ${language} has "${phrase}"`);
  return found;
}
