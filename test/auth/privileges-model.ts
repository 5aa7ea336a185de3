/** What sign-ins, tokens and passwords promise, written down without looking at how they are kept. */
export type Scope = 'read' | 'submit' | 'admin';

export interface Credential {
  text: string;
  /** token: POST /tokens · session: a cookie · password: POST /auth/token · setting: ADMIN_TOKEN */
  kind: 'token' | 'session' | 'password' | 'setting';
  account: string;
  scopes: Scope[];
  expires: number;
  ended: boolean;
  /** It ends with this one. */
  parent?: Credential;
}

export interface Password {
  text: string;
  oneTimeUntil?: number;
}

const GIVES: Record<Scope, Scope[]> = {
  read: ['read'],
  submit: ['read', 'submit'],
  admin: ['read', 'submit', 'admin'],
};

export const may = ({ scopes }: Pick<Credential, 'scopes'>, scope: Scope): boolean =>
  scopes.some((held) => GIVES[held].includes(scope));

/** What it can hand on: a session what it was opened with, one of a password the account itself. */
export function authorityOf(credential: Credential): Credential | undefined {
  return credential.kind === 'session' ? credential.parent : credential;
}

export class Model {
  readonly credentials: Credential[] = [];
  readonly passwords = new Map<string, Password>();

  isValid({ ended, expires, parent }: Credential, now: number): boolean {
    return !ended && expires > now && (parent === undefined || this.isValid(parent, now));
  }

  add(credential: Omit<Credential, 'ended'>): Credential {
    const { parent } = credential;
    if (parent && !credential.scopes.every((scope) => may(parent, scope))) {
      throw new Error(`${credential.scopes} were given by ${parent.scopes}`);
    }
    if (parent && credential.expires > parent.expires) throw new Error('it outlives what it was made with');
    const made = { ...credential, ended: false };
    this.credentials.push(made);
    return made;
  }

  end(credential: Credential, kept: readonly Credential[] = []): void {
    if (kept.includes(credential)) return;
    credential.ended = true;
    for (const child of this.credentials) if (child.parent === credential) this.end(child, kept);
  }

  setPassword(account: string, password: Password, kept?: Credential, endTokens = false): void {
    this.passwords.set(account, password);
    const stay: Credential[] = [];
    for (let one = kept; one; one = one.parent) stay.push(one);
    for (const credential of this.credentials) {
      const { kind } = credential;
      if (credential.account !== account || kind === 'setting') continue;
      if (endTokens || kind !== 'token') this.end(credential, stay);
    }
  }
}
