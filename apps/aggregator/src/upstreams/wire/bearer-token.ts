/** Where access tokens come from: storage that is opened, and a login that is renewed, only after a 401. */
export interface TokenSource {
  /** A token other than `refused`, or undefined if a person has to log in. */
  tokenAfter(refused: string | undefined, challenge: string | undefined): Promise<string | undefined>;
}

/** The access token of one server. Requests that are refused at the same time wait for one renewal. */
export class BearerToken {
  readonly #source: TokenSource;
  #value: string | undefined;
  #renewing: Promise<boolean> | undefined;

  constructor(source: TokenSource) {
    this.#source = source;
  }

  get header(): { authorization?: string } {
    return this.#value === undefined ? {} : { authorization: `Bearer ${this.#value}` };
  }

  /** Whether there is another token now than the one that a request was refused with. */
  async renew(refused: string | undefined, challenge: string | undefined): Promise<boolean> {
    if (this.header.authorization !== refused) return true;
    const old = this.#value;
    this.#renewing ??= this.#source
      .tokenAfter(old, challenge)
      .then(
        (token) => {
          this.#value = token ?? old;
          return token !== undefined && token !== old;
        },
        () => false,
      )
      .finally(() => {
        this.#renewing = undefined;
      });
    return this.#renewing;
  }
}
