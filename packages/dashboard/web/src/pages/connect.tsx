import { endpoint, hasToken } from '../lib/mcp.ts';
import { t, tx } from '../lib/texts.ts';
import { CopyBlock } from '../parts/copy-button.tsx';
import { ClientList, useClients } from '../parts/setup/client-list.tsx';

const NAME = 'atoll';
const TOKEN_VARIABLE = 'ATOLL_TOKEN';
const pretty = (value: unknown) => JSON.stringify(value, null, 2);

interface Client {
  readonly title: string;
  readonly how: string;
  readonly text: string;
  /** Opens the client with this endpoint filled in. */
  readonly link?: string;
}

/** How each client reaches this endpoint. */
export function Connect() {
  const known = useClients();
  return (
    <>
      <p class="lead">
        {tx('Everything on this page is one MCP endpoint: {endpoint}.', { endpoint: <code>{endpoint}</code> })}
      </p>
      {hasToken() && (
        <p>
          {tx(
            'It asks for a token. The texts below take it from the variable {token_variable}; the token itself is not in them.',
            { token_variable: <code>{TOKEN_VARIABLE}</code> },
          )}
        </p>
      )}
      {!known.failure && (
        <section class="card" aria-label={t('On this machine')}>
          <h2>{t('On this machine')}</h2>
          <p class="hint">
            {t("One click writes Atoll into the client's configuration and keeps a copy of the file.")}
          </p>
          <ClientList clients={known} />
        </section>
      )}
      <div class="cards two-wide">
        {clients(hasToken()).map(({ title, how, text, link }) => (
          <section class="card" key={title}>
            <h2>{title}</h2>
            <p class="hint">{how}</p>
            <CopyBlock text={text} label={text === endpoint ? t('Copy the address') : t('Copy for {title}', { title })}>
              {link && (
                <a class="button" href={link}>
                  {t('Add to {title}', { title })}
                </a>
              )}
            </CopyBlock>
          </section>
        ))}
      </div>
    </>
  );
}

function clients(needsToken: boolean): readonly Client[] {
  const bearer = (variable: string) => (needsToken ? { headers: { Authorization: `Bearer ${variable}` } } : {});
  const direct = { url: endpoint, ...bearer(`\${env:${TOKEN_VARIABLE}}`) };
  const header = needsToken ? ['--header', `Authorization: Bearer \${${TOKEN_VARIABLE}}`] : [];
  const install = { name: NAME, type: 'http', ...direct };
  return [
    {
      title: 'Claude Code',
      how: t('Run this once in a terminal.'),
      text: `claude mcp add --transport http ${NAME} ${endpoint}${needsToken ? ` --header "Authorization: Bearer $${TOKEN_VARIABLE}"` : ''}`,
    },
    {
      title: t('Any other client'),
      how: t('Streamable HTTP at this address, whichever version of the protocol the client speaks.'),
      text: endpoint,
    },
    {
      title: 'Cursor',
      how: t('One click, or put this into ~/.cursor/mcp.json.'),
      text: pretty({ mcpServers: { [NAME]: direct } }),
      link: `cursor://anysphere.cursor-deeplink/mcp/install?name=${NAME}&config=${encodeURIComponent(btoa(JSON.stringify(direct)))}`,
    },
    {
      title: 'VS Code',
      how: t('One click, or put this into .vscode/mcp.json.'),
      text: pretty({ servers: { [NAME]: { type: 'http', ...direct } } }),
      link: `vscode:mcp/install?${encodeURIComponent(JSON.stringify(install))}`,
    },
    {
      title: 'Claude Desktop',
      how: t('Settings → Developer → Edit config, then restart.'),
      text: pretty({ mcpServers: { [NAME]: { command: 'npx', args: ['-y', 'mcp-remote', endpoint, ...header] } } }),
    },
    {
      title: 'Windsurf',
      how: t('Put this into ~/.codeium/windsurf/mcp_config.json.'),
      text: pretty({
        mcpServers: {
          [NAME]: { serverUrl: endpoint, ...bearer(`\${env:${TOKEN_VARIABLE}}`) },
        },
      }),
    },
  ];
}
