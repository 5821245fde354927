import type { PageMessage, PageSuggestions } from '../site/protocol.ts';
import type { SiteRequest } from '../site/requests.ts';

interface Results {
  readonly suggest: PageSuggestions;
  /** What Discord says in the place of an answer that did not come. */
  readonly send: PageMessage | null;
  readonly useOnMessage: PageMessage | null;
  readonly press: { readonly isAnswered: boolean };
  readonly select: { readonly isAnswered: boolean };
  readonly createChannel: { readonly id: string };
  readonly control: { readonly note: string };
}

type ResultOf<Do extends SiteRequest['do']> = Do extends keyof Results ? Results[Do] : null;

/**
 * Asks the page's own server.
 *
 * @throws Error with a text for the person when it cannot be done
 */
export async function ask<Request extends SiteRequest>(
  request: Request,
): Promise<ResultOf<Request['do']>> {
  const response = await fetch('/act', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(request),
  });
  const answer: { result: ResultOf<Request['do']>; error?: string } = await response.json();
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer.result;
}
