/** The place and reason of an error in a form, as in the nested shape of Discord's 50035 body. */
export interface FormError {
  readonly path: readonly (string | number)[];
  readonly code: string;
  readonly message: string;
}

/** A request that Discord would reject; becomes the status and body of the response. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  /** Discord's JSON error code; 0 if there is no specific one. */
  readonly code: number;
  readonly formErrors: readonly FormError[];

  constructor(
    status: number,
    code: number,
    message: string,
    formErrors: readonly FormError[] = [],
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.formErrors = formErrors;
  }

  get body(): Record<string, unknown> {
    const body: Record<string, unknown> = { message: this.message, code: this.code };
    if (this.formErrors.length > 0) body['errors'] = nest(this.formErrors);
    return body;
  }
}

interface ErrorTree {
  [key: string]: ErrorTree | { code: string; message: string }[];
}

function nest(formErrors: readonly FormError[]): ErrorTree {
  const root: ErrorTree = {};
  for (const { path, code, message } of formErrors) {
    let node = root;
    for (const key of path) {
      const child = node[String(key)];
      if (child !== undefined && !Array.isArray(child)) {
        node = child;
      } else {
        const made: ErrorTree = {};
        node[String(key)] = made;
        node = made;
      }
    }
    const errors = node['_errors'];
    if (Array.isArray(errors)) errors.push({ code, message });
    else node['_errors'] = [{ code, message }];
  }
  return root;
}

/** Returns error 50035 with one or more reasons. */
export function invalidForm(...errors: FormError[]): Refusal {
  return new Refusal(400, 50035, 'Invalid Form Body', errors);
}

/** The errors of topics/opcodes-and-status-codes.mdx that the fake returns by its own rules. */
export const refusals = {
  notFound: () => new Refusal(404, 0, '404: Not Found'),
  methodNotAllowed: () => new Refusal(405, 0, '405: Method Not Allowed'),
  unauthorized: () => new Refusal(401, 0, '401: Unauthorized'),
  blockedUserAgent: () => new Refusal(403, 40333, 'internal network error'),
  unknownChannel: () => new Refusal(404, 10003, 'Unknown Channel'),
  unknownGuild: () => new Refusal(404, 10004, 'Unknown Guild'),
  unknownMember: () => new Refusal(404, 10007, 'Unknown Member'),
  unknownMessage: () => new Refusal(404, 10008, 'Unknown Message'),
  unknownUser: () => new Refusal(404, 10013, 'Unknown User'),
  unknownWebhook: () => new Refusal(404, 10015, 'Unknown Webhook'),
  unknownInteraction: () => new Refusal(404, 10062, 'Unknown interaction'),
  unknownApplication: () => new Refusal(404, 10002, 'Unknown Application'),
  tooManyAttachments: () =>
    new Refusal(400, 30015, 'Maximum number of attachments in a message reached (10)'),
  tooManyFollowUps: () =>
    new Refusal(
      403,
      40094,
      'This interaction has reached the maximum number of follow up messages',
    ),
  tooManyCommands: () =>
    new Refusal(400, 30032, 'Maximum number of application commands reached (100).'),
  tooManyCommandCreates: () =>
    new Refusal(
      400,
      30034,
      'Max number of daily application command creates has been reached (200)',
    ),
  requestTooLarge: () => new Refusal(413, 40005, 'Request entity too large'),
  alreadyAcknowledged: () => new Refusal(400, 40060, 'Interaction has already been acknowledged.'),
  missingAccess: () => new Refusal(403, 50001, 'Missing Access'),
  cannotEditOthers: () => new Refusal(403, 50005, 'Cannot edit a message authored by another user'),
  emptyMessage: () => new Refusal(400, 50006, 'Cannot send an empty message'),
  cannotMessageUser: () => new Refusal(403, 50007, 'Cannot send messages to this user'),
  notATextChannel: () => new Refusal(400, 50008, 'Cannot send messages in a non-text channel'),
  missingPermissions: () => new Refusal(403, 50013, 'Missing Permissions'),
  invalidWebhookToken: () => new Refusal(401, 50027, 'Invalid Webhook Token'),
  fileTooLarge: () => new Refusal(400, 50045, 'File uploaded exceeds the maximum size'),
  threadArchived: () => new Refusal(400, 50083, 'Thread is archived'),
  invalidJson: () => new Refusal(400, 50109, 'The request body contains invalid JSON.'),
  noMutualGuild: () =>
    new Refusal(403, 50278, 'Cannot send a message to a user without a mutual guild'),
  replyWithoutHistory: () =>
    new Refusal(403, 160002, 'Cannot reply without permission to read message history'),
  threadLocked: () => new Refusal(400, 160005, 'Thread is locked'),
} as const;
