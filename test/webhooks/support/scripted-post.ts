/** Receivers as a test writes them down: each post is answered by the script, and kept. */
import type { Answer, Post, PostResult } from '../../../shared/webhooks/post.ts';

export interface Posted {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ScriptedPost {
  readonly post: Post;
  readonly posted: Posted[];
}

export const answered = (status: number, more: Partial<Answer> = {}): PostResult => ({
  answer: { status, excerpt: '', retryAfter: undefined, command: undefined, ...more },
});

export const TIMEOUT: PostResult = { problem: 'timeout', error: 'No answer in time' };

export function scriptedPost(script: (posted: Posted) => PostResult | Promise<PostResult>): ScriptedPost {
  const posted: Posted[] = [];
  return {
    posted,
    post: async (url, headers, body) => {
      const request = { url, headers, body };
      posted.push(request);
      return script(request);
    },
  };
}
