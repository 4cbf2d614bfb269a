/** What a caller may do. Each scope holds those before it. */
export class Scope {
  /** Claim, work and complete cards; read; comment; make cards. */
  static readonly WORKER = new Scope('worker');
  /** Everything on cards, columns and contracts. */
  static readonly MEMBER = new Scope('member');
  /** Boards, tokens and webhooks too. */
  static readonly ADMIN = new Scope('admin');

  readonly name: 'worker' | 'member' | 'admin';

  private constructor(name: 'worker' | 'member' | 'admin') {
    this.name = name;
  }
}
