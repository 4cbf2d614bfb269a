import { describe, expect, test } from 'vitest';
import { isAllowedAddress, parseTargets } from '../../shared/webhooks/public-address.ts';
import { targetFault } from '../../shared/webhooks/target.ts';

/** Each names this machine, a private network or instance metadata, in a notation that got past somebody. */
const BYPASSES = [
  'https://127.0.0.1/',
  'https://127.1/',
  'https://127.0.1/',
  'https://2130706433/',
  'https://017700000001/',
  'https://0177.0.0.1/',
  'https://0x7f000001/',
  'https://0x7f.0x0.0x0.0x1/',
  'https://0/',
  'https://0.0.0.0/',
  'https://127.0.0.1./',
  'https://１２７.0.0.1/',
  'https://①②⑦.⓪.⓪.①/',
  'https://127。0。0。1/',
  'https://%31%32%37.0.0.1/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.0.1/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://2852039166/latest/meta-data/',
  'https://192.0.0.1/',
  'https://198.18.0.1/',
  'https://203.0.113.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://240.0.0.1/',
  'https://[::]/',
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::127.0.0.1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:169.254.169.254]/',
  'https://[::ffff:0:127.0.0.1]/',
  'https://[64:ff9b::127.0.0.1]/',
  'https://[64:ff9b:1::a00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001::1]/',
  'https://[2001:db8::1]/',
  'https://[fe80::1]/',
  'https://[fec0::1]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[ff02::1]/',
  'https://localhost/',
  'https://LOCALHOST/',
  'https://localhost./',
  'https://hooks.localhost/',
  'https://metadata/',
];

describe('an address of a webhook', () => {
  test.each(BYPASSES)('%s is no public host', (url) => {
    expect(targetFault(url, 'public')).toMatch(/public/);
  });

  test.each([
    ['http://hooks.example.com/', /must be https/],
    ['ftp://hooks.example.com/', /must be https/],
    ['file:///etc/passwd', /must be https/],
    ['data:text/plain,x', /must be https/],
    ['javascript:alert(1)', /must be https/],
    ['gopher://hooks.example.com/', /must be https/],
    ['//hooks.example.com/', /absolute URL/],
    ['hooks.example.com', /absolute URL/],
    ['', /absolute URL/],
    ['https://', /absolute URL/],
    ['https://[fe80::1%25eth0]/', /absolute URL/],
    ['https://user:secret@hooks.example.com/', /user name or a password/],
    ['https://user@hooks.example.com/', /user name or a password/],
    ['https://hooks.example.com@169.254.169.254/', /user name or a password/],
    ['https://hooks.example.com:25/', /port 443 or one from 1024 on, not 25/],
    ['https://hooks.example.com:22/', /port 443/],
    ['https://hooks.example.com:0/', /port 443/],
    ['https://hooks.example.com/#x', /fragment/],
  ])('%s is refused for what it is', (url, fault) => {
    expect(targetFault(url, 'public')).toMatch(fault);
  });

  test.each([
    'https://hooks.example.com/leaseboard?team=a',
    'https://hooks.example.com:8443/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://bücher.example/',
  ])('%s is taken', (url) => {
    expect(targetFault(url, 'public')).toBeNull();
  });
});

describe('on a developer’s machine', () => {
  test.each([
    'http://127.0.0.1:3000/hook',
    'http://localhost:3000/',
    'http://[::1]:3000/',
    'https://127.0.0.1:8443/',
  ])('%s is taken', (url) => {
    expect(targetFault(url, 'loopback')).toBeNull();
  });

  test('nothing else private is, and other hosts still need https', () => {
    for (const url of [
      'https://10.0.0.1/',
      'https://169.254.169.254/',
      'https://[fd00::1]/',
      'https://0.0.0.0/',
    ]) {
      expect(targetFault(url, 'loopback'), url).not.toBeNull();
    }
    for (const url of ['http://10.0.0.1:3000/', 'http://hooks.example.com:3000/']) {
      expect(targetFault(url, 'loopback'), url).toMatch(/https, or http to this machine/);
    }
    expect(targetFault('http://127.0.0.1:80/', 'loopback')).toMatch(/port/);
  });
});

describe('an IP address', () => {
  test('is allowed when it is a public host of either kind', () => {
    for (const address of ['8.8.8.8', '1.1.1.1', '2606:4700::1111', '::ffff:8.8.8.8']) {
      expect(isAllowedAddress(address, 'public'), address).toBe(true);
    }
  });

  test('is not allowed when nothing is known of it', () => {
    for (const address of ['', 'hooks.example.com', '1::1', '4000::1', '::7f00:1', '8000::1']) {
      expect(isAllowedAddress(address, 'public'), address).toBe(false);
    }
  });
});

test('a misspelt setting opens nothing', () => {
  expect(parseTargets('public')).toBe('public');
  expect(() => parseTargets('Public')).toThrow('WEBHOOK_TARGETS is "Public"');
});
