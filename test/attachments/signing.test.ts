import { describe, expect, it } from 'vitest';
import { s3Bucket, urlSigner } from '../../shared/aws/s3-bucket.ts';
import { systemDeps } from '../../shared/deps.ts';

/** From the documentation of S3, "Authenticating Requests: Using Query Parameters". */
const EXAMPLE = {
  url: 'https://examplebucket.s3.amazonaws.com',
  region: 'us-east-1',
  credentials: {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  },
  deps: { ...systemDeps, now: () => Date.UTC(2013, 4, 24) },
};
const DAY_SECONDS = 86_400;

describe('an address that is signed', () => {
  it('has the signature of S3’s own example', async () => {
    const sign = urlSigner({ ...EXAMPLE, expiresSeconds: DAY_SECONDS });
    const url = new URL(await sign('GET', 'test.txt'));
    expect(url.origin + url.pathname).toBe('https://examplebucket.s3.amazonaws.com/test.txt');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Credential': 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request',
      'X-Amz-Date': '20130524T000000Z',
      'X-Amz-Expires': '86400',
      'X-Amz-SignedHeaders': 'host',
      'X-Amz-Signature': 'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    });
  });

  it('for an upload binds its type and its length, and is good for a quarter of an hour', async () => {
    const upload = await s3Bucket(EXAMPLE).signUpload('b/c/a', { content_type: 'text/plain', size: 12 });
    const query = new URL(upload.url).searchParams;
    expect(query.get('X-Amz-SignedHeaders')).toBe('content-length;content-type;host');
    expect(query.get('X-Amz-Expires')).toBe('900');
    expect(upload.headers).toEqual({ 'content-type': 'text/plain', 'content-length': '12' });
  });

  it('carries the session of a role, without which its key is not known', async () => {
    const credentials = { ...EXAMPLE.credentials, sessionToken: 'a session' };
    const url = new URL(await urlSigner({ ...EXAMPLE, credentials })('GET', 'test.txt'));
    expect(url.searchParams.get('X-Amz-Security-Token')).toBe('a session');
  });

  it('for a download names the file for every browser, and never opens it as a page', async () => {
    const file = { content_type: 'text/html', name: 'Übersicht "1".html' };
    const url = new URL(await s3Bucket(EXAMPLE).signDownload('b/c/a', file));
    expect(url.searchParams.get('response-content-disposition')).toBe(
      `attachment; filename="_bersicht _1_.html"; filename*=UTF-8''%C3%9Cbersicht%20%221%22.html`,
    );
  });
});
