import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { StoredLogin } from './stored-login.ts';

interface LoginProviderOptions {
  readonly login: StoredLogin;
  /** Where the authorization server sends the browser back to. */
  readonly redirectUrl: string;
  /** Shows the user the login URL; without it only stored tokens can be refreshed. */
  readonly onAuthorizationUrl?: (url: URL) => void;
  readonly state?: string;
}

/** Stores the registration and tokens of the SDK's OAuth client in the secret store. */
export class LoginProvider implements OAuthClientProvider {
  readonly #options: LoginProviderOptions;
  #verifier = '';
  #discovery: OAuthDiscoveryState | undefined;

  constructor(options: LoginProviderOptions) {
    this.#options = options;
  }

  get redirectUrl(): string {
    return this.#options.redirectUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'Atoll',
      redirect_uris: [this.#options.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  state(): string {
    return this.#options.state ?? '';
  }

  async clientInformation(): Promise<StoredOAuthClientInformation | undefined> {
    // A registration is for one redirect address, and each login listens on a port of its own.
    if (this.#options.onAuthorizationUrl && !this.#registered) return undefined;
    return (await this.#options.login.read()).client as StoredOAuthClientInformation | undefined;
  }

  #registered = false;

  async saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    this.#registered = true;
    await this.#options.login.write({ client: { ...client } });
  }

  async tokens(): Promise<StoredOAuthTokens | undefined> {
    // A new login must not reuse the stored tokens.
    if (this.#options.onAuthorizationUrl) return undefined;
    return (await this.#options.login.read()).tokens as StoredOAuthTokens | undefined;
  }

  async saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    await this.#options.login.write({ tokens: { ...tokens } });
  }

  redirectToAuthorization(url: URL): void {
    this.#options.onAuthorizationUrl?.(url);
  }

  /** The code is redeemed where the login began, whatever the server names meanwhile. */
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }
}
