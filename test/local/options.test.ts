import { expect, test } from 'vitest';
import { HELP, parseOptions } from '../../local/options.ts';
import { UserError } from '../../local/user-error.ts';

const TOKEN = `lb_ci_${'s'.repeat(32)}`;

test('without options there are defaults', () => {
  expect(parseOptions([])).toEqual({
    port: 8787,
    directory: '.leaseboard',
    adminToken: null,
    reaperSeconds: 60,
    dynamodbUrl: null,
    oidcFile: null,
    demo: true,
  });
});

test('every option has its effect', () => {
  const args = ['--port', '9000', '--data', '/tmp/x', '--admin-token', TOKEN, '--reaper', '5', '--no-demo'];
  expect(parseOptions([...args, '--dynamodb', 'http://127.0.0.1:8000', '--oidc', 'oidc.json'])).toEqual({
    port: 9000,
    directory: '/tmp/x',
    adminToken: TOKEN,
    reaperSeconds: 5,
    dynamodbUrl: 'http://127.0.0.1:8000',
    oidcFile: 'oidc.json',
    demo: false,
  });
  expect(parseOptions(['--memory'])).toMatchObject({ directory: null });
  expect(parseOptions(['--reaper', 'off'])).toMatchObject({ reaperSeconds: null });
  expect(parseOptions(['--port=0'])).toMatchObject({ port: 0 });
});

test('help is asked for by --help, and lists every option', () => {
  expect(parseOptions(['--port', '1', '--help'])).toBeNull();
  for (const name of [
    'port',
    'memory',
    'data',
    'admin-token',
    'reaper',
    'dynamodb',
    'oidc',
    'no-demo',
    'help',
  ]) {
    expect(HELP).toContain(`--${name}`);
  }
});

test.each([
  [['--prot', '1'], '--prot'],
  [['start'], 'start'],
  [['--port'], '--port'],
  [['--port', 'http'], '"http"'],
  [['--port', '65536'], '"65536"'],
  [['--port', '80.5'], '"80.5"'],
  [['--memory=yes'], '--memory'],
  [['--data', ''], '--data'],
  [['--reaper', '0'], '"0"'],
  [['--reaper', 'never'], '"never"'],
  [['--reaper', '86401'], '"86401"'],
  [['--dynamodb', '127.0.0.1:8000'], '"127.0.0.1:8000"'],
])('%j is refused with exit code 2, naming %s', (args, named) => {
  const refusal = refusalOf(args);
  expect(refusal.message).toContain(named);
  expect(refusal.message).toContain('--help');
  expect(refusal.exitCode).toBe(2);
});

test.each(['lb_a_tooshort', `xx_a_${'s'.repeat(32)}`, `lb__${'s'.repeat(32)}`, `lb_a-b_${'s'.repeat(32)}`])(
  'the admin token %s is refused and not repeated',
  (token) => {
    const refusal = refusalOf(['--admin-token', token]);
    expect(refusal.message).toContain('lb_<id>_<secret>');
    expect(refusal.message).not.toContain(token);
    expect(refusal.exitCode).toBe(2);
  },
);

function refusalOf(args: string[]): UserError {
  try {
    parseOptions(args);
  } catch (error) {
    if (error instanceof UserError) return error;
  }
  throw new Error('It was not refused.');
}
