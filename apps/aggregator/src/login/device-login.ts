import { setTimeout as delay } from 'node:timers/promises';
import {
  assertSecureTokenEndpoint,
  auth,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  OAuthError,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { StoredLogin } from './stored-login.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const WAIT_SECONDS = 300;

const deviceSchema = z.object({
  device_code: z.string().min(1),
  user_code: z.string().regex(/^[\x20-\x7e]{1,40}$/),
  verification_uri: z.url({ protocol: /^https?$/ }),
  verification_uri_complete: z.url({ protocol: /^https?$/ }).optional(),
  expires_in: z.number().positive().optional(),
  interval: z.number().min(1).max(60).optional(),
});

type Device = z.output<typeof deviceSchema>;

interface DeviceLoginOptions {
  readonly serverUrl: string;
  readonly login: StoredLogin;
  readonly fetchFn: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /** Shows the user the code and the URL to enter it at. */
  readonly onCode: (device: Device) => void;
}

/** Logs in with a code that a person enters on another device (RFC 8628). Rejects if it is refused or not entered in time. */
export async function logInByDevice(options: DeviceLoginOptions): Promise<void> {
  const { serverUrl, fetchFn } = options;
  const provider = new DeviceLoginProvider(options);
  for (;;) {
    try {
      await auth(provider, { serverUrl, fetchFn });
      return;
    } catch (error) {
      const code = error instanceof OAuthError ? error.code : undefined;
      if (code === 'slow_down') provider.slowDown();
      else if (code === 'access_denied') throw new Error('the login was refused');
      else if (code === 'expired_token') throw new Error('the code was not entered in time');
      else if (code !== 'authorization_pending') throw error;
    }
  }
}

/** Makes the SDK's OAuth client request tokens with a device code; discovery, registration and storage stay the client's. */
class DeviceLoginProvider implements OAuthClientProvider {
  readonly redirectUrl = undefined;
  readonly clientMetadata: OAuthClientMetadata = {
    client_name: 'Atoll',
    redirect_uris: [],
    grant_types: [GRANT, 'refresh_token'],
    response_types: [],
    token_endpoint_auth_method: 'none',
  };
  readonly #options: DeviceLoginOptions;
  #discovery: OAuthDiscoveryState | undefined;
  #client: StoredOAuthClientInformation | undefined;
  #resource: string | undefined;
  #device: Device | undefined;
  #intervalSeconds = 5;
  #deadline = 0;

  constructor(options: DeviceLoginOptions) {
    this.#options = options;
  }

  slowDown(): void {
    this.#intervalSeconds += 5;
  }

  /** Waits for the polling interval, then returns the parameters of the next token request. */
  async prepareTokenRequest(scope?: string): Promise<URLSearchParams> {
    this.#device ??= await this.#begin(scope);
    if (Date.now() + this.#intervalSeconds * 1_000 > this.#deadline)
      throw new Error('the code was not entered in time');
    await delay(this.#intervalSeconds * 1_000);
    return new URLSearchParams({
      grant_type: GRANT,
      device_code: this.#device.device_code,
      client_id: this.#client?.client_id ?? '',
    });
  }

  async #begin(scope: string | undefined): Promise<Device> {
    const metadata: Readonly<Record<string, unknown>> = this.#discovery?.authorizationServerMetadata ?? {};
    const endpoint = metadata.device_authorization_endpoint;
    if (typeof endpoint !== 'string') {
      throw new Error('its authorization server does not support the device flow; log in without --device');
    }
    const body = new URLSearchParams({
      client_id: this.#client?.client_id ?? '',
      ...(scope !== undefined && { scope }),
      ...(this.#resource !== undefined && { resource: this.#resource }),
    });
    const response = await this.#options.fetchFn(assertSecureTokenEndpoint(endpoint), { method: 'POST', body });
    const device = deviceSchema.safeParse(response.ok ? await response.json().catch(() => undefined) : undefined);
    if (!device.success) throw new Error(`the authorization server returned no code (HTTP ${response.status})`);
    const { expires_in: seconds = WAIT_SECONDS, interval = this.#intervalSeconds } = device.data;
    this.#intervalSeconds = interval;
    this.#deadline = Date.now() + Math.min(seconds, 3_600) * 1_000;
    this.#options.onCode(device.data);
    return device.data;
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.#client;
  }

  async saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    this.#client = client;
  }

  /** A new login must not reuse the stored tokens. */
  tokens(): undefined {
    return undefined;
  }

  /** Stored together with their registration, so that a failed login leaves the earlier one unchanged. */
  async saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    await this.#options.login.write({ client: { ...this.#client }, tokens: { ...tokens } });
  }

  saveResourceUrl(resource: string): void {
    this.#resource = resource;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  redirectToAuthorization(): void {}
  saveCodeVerifier(): void {}
  codeVerifier(): string {
    return '';
  }
}
