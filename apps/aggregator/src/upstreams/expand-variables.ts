/** An environment variable that a setting refers to and that is not set. */
export class MissingVariableError extends Error {
  override readonly name = 'MissingVariableError';
  readonly variable: string;

  constructor(variable: string) {
    super(`the variable ${variable} is not set`);
    this.variable = variable;
  }
}

/** Replaces `${NAME}`, `${NAME:-default}` and `${env:NAME}`. */
export function expand(text: string, env: NodeJS.ProcessEnv): string {
  return text.replace(/\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (_whole, name: string, fallback?: string) => {
    const value = env[name];
    if (value !== undefined && value !== '') return value;
    if (fallback !== undefined) return fallback;
    throw new MissingVariableError(name);
  });
}
