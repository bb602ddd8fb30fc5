import { useEffect, useState } from 'preact/hooks';

/** `#/tensors/abc?slice=0` as its parts. */
export interface Route {
  readonly page: string;
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
}

export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const changed = () => setRoute(readRoute());
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return route;
}

export function linkTo(page: string, ...rest: readonly string[]): string {
  return `#/${[page, ...rest].map(encodeURIComponent).join('/')}`;
}

function readRoute(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [page = '', ...rest] = path.split('/').map(decoded);
  return { page, rest, query: new URLSearchParams(query) };
}

/** An address that was typed or cut may hold what is not an encoding. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
