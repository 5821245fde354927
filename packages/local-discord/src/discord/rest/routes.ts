import { invalidForm } from '../refusal.ts';
import type { RequestBody } from './body.ts';
import type { BucketName } from './ratelimit.ts';

export interface RestRequest extends RequestBody {
  readonly query: URLSearchParams;
  /** Returns the path segment with this name, as sent; empty if there is none. */
  param(name: string): string;
  /** Returns the path segment, which must be an id. Throws Refusal 50035. */
  id(name: string): string;
}

export interface RestAnswer {
  readonly status: number;
  /** Missing for an empty response without a content type. */
  readonly body?: unknown;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below `/api/v10`, e.g. `/channels/:channel/messages`. */
  readonly pattern: string;
  /** `interaction` routes have their token in the path and are exempt from the global limit. */
  readonly auth: 'bot' | 'interaction';
  readonly bucket: BucketName;
  handle(request: RestRequest): RestAnswer;
}

export const ok = (body: unknown): RestAnswer => ({ status: 200, body });
export const noContent: RestAnswer = { status: 204 };

export interface Match {
  readonly route: Route;
  readonly params: ReadonlyMap<string, string>;
}

/**
 * Creates the lookup of a route by path; `wrongMethod` if the path exists, but not with this
 * method.
 */
export function createRouter(
  routes: readonly Route[],
): (method: string, path: string) => Match | 'wrongMethod' | null {
  const compiled = routes.map((route) => ({ route, parts: route.pattern.split('/') }));
  return (method, path) => {
    const given = path.split('/');
    let isKnownPath = false;
    for (const { route, parts } of compiled) {
      const params = matchParts(parts, given);
      if (params === null) continue;
      if (route.method === method) return { route, params };
      isKnownPath = true;
    }
    return isKnownPath ? 'wrongMethod' : null;
  };
}

function matchParts(
  parts: readonly string[],
  given: readonly string[],
): Map<string, string> | null {
  if (parts.length !== given.length) return null;
  const params = new Map<string, string>();
  for (const [index, part] of parts.entries()) {
    const actual = safeDecode(given[index] ?? '');
    if (part.startsWith(':')) {
      if (actual === '') return null;
      params.set(part.slice(1), actual);
    } else if (part !== actual) {
      return null;
    }
  }
  return params;
}

function safeDecode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns the id from a path or query, after checking it. */
export function requireSnowflake(name: string, value: string): string {
  if (!/^\d{17,20}$/.test(value)) {
    throw invalidForm({
      path: [name],
      code: 'NUMBER_TYPE_COERCE',
      message: `Value "${value}" is not snowflake.`,
    });
  }
  return value;
}
