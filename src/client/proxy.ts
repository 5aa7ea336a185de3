/**
 * The proxy that the environment names, as curl and most programs have it: HTTPS_PROXY and HTTP_PROXY by the kind of the address,
 * NO_PROXY for hosts without one; names in small letters go first. This machine itself is never asked for through one.
 */

/** As the types of Node's own `fetch` call it, which know an older one. */
type Dispatcher = NonNullable<RequestInit['dispatcher']>;

export interface NamedProxy {
  dispatcher: Dispatcher;
  /** Host and port, for messages; its password is nobody's business. */
  host: string;
}

/** The last one that was made, whose connections the next request takes; `key`: what the environment said. */
let made: { key: string; dispatcher: Dispatcher } | undefined;

export type Environment = Readonly<Record<string, string | undefined>>;

/** @throws Error for a setting that is no address of a proxy */
export async function proxyFor(address: string, environment: Environment): Promise<NamedProxy | undefined> {
  const { protocol, hostname } = new URL(address);
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const setting = (one: string): string => (environment[one.toLowerCase()] ?? environment[one] ?? '').trim();
  const named = setting(name);
  if (named === '' || isHere(hostname)) return undefined;
  const uri = /^[a-z][a-z\d+.-]*:\/\//i.test(named) ? named : `http://${named}`;
  if (!/^https?:/i.test(uri) || !URL.canParse(uri))
    throw new Error(`${name} is no address of a proxy; give one such as http://proxy.example.org:3128, or unset it.`);
  const noProxy = setting('NO_PROXY');
  const key = `${uri} ${noProxy}`;
  const { EnvHttpProxyAgent } = await import('undici');
  if (made?.key !== key) {
    // Many proxies open tunnels for https alone.
    const agent = new EnvHttpProxyAgent({ httpProxy: uri, httpsProxy: uri, noProxy, proxyTunnel: false });
    made = { key, dispatcher: agent as unknown as Dispatcher };
  }
  return { dispatcher: made.dispatcher, host: new URL(uri).host };
}

const isHere = (hostname: string): boolean => /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname);
