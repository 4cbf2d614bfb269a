import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readOidcFile } from '../../local/oidc.ts';
import { UserError } from '../../local/user-error.ts';

const LEAST = { issuer: 'https://id.example.com/t', audience: 'board', group_scopes: { staff: 'member' } };

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'leaseboard-oidc-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(text: string): string {
  const path = join(folder, 'oidc.json');
  writeFileSync(path, text);
  return path;
}

test('a provider needs an issuer, an audience and scopes of groups; the rest has defaults', () => {
  expect(readOidcFile(fileOf(JSON.stringify(LEAST)))).toEqual({
    settings: { ...LEAST, groups_claim: 'groups' },
    signIn: {
      provider: 'id.example.com',
      issuer: 'https://id.example.com/t',
      client_id: 'board',
      scopes: ['openid', 'profile', 'email'],
      token_origin: null,
    },
  });
});

test('the board asks for what the provider wants asked, where it gives its tokens', () => {
  const more = {
    provider: 'Acme',
    scopes: ['openid', 'groups'],
    token_origin: 'https://tokens.example.com/x',
  };
  expect(readOidcFile(fileOf(JSON.stringify({ ...LEAST, ...more }))).signIn).toMatchObject({
    provider: 'Acme',
    scopes: ['openid', 'groups'],
    token_origin: 'https://tokens.example.com',
  });
});

test.each([
  ['{', 'JSON'],
  ['null', 'the file'],
  [JSON.stringify({ ...LEAST, issuer: 'id.example.com' }), 'issuer'],
  [JSON.stringify({ ...LEAST, audience: undefined }), 'audience'],
  [JSON.stringify({ ...LEAST, group_scopes: { staff: 'boss' } }), 'group_scopes.staff'],
  [JSON.stringify({ ...LEAST, client_secret: 'x' }), 'client_secret'],
])('the file %s is refused with exit code 2, naming %s', (text, named) => {
  expect(() => readOidcFile(fileOf(text))).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(named),
      exitCode: 2,
    }),
  );
});

test('a file that is not there is refused by its name', () => {
  const absent = join(folder, 'absent.json');
  expect(() => readOidcFile(absent)).toThrow(UserError);
  expect(() => readOidcFile(absent)).toThrow(absent);
});
