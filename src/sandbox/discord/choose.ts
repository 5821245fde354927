import { CannotDo, type Resolver } from './commandline.ts';
import { COMPONENT_TYPES, type InRowComponent } from './forms/components.ts';

/** Chooses one value in a select menu. Throws CannotDo for what it does not offer. */
export function choose(component: InRowComponent, value: string, resolver: Resolver): void {
  switch (component.type) {
    case COMPONENT_TYPES.STRING_SELECT:
      if (!component.options.some((option) => option.value === value)) {
        throw new CannotDo(`${component.custom_id} has no option ${value}.`);
      }
      break;
    case COMPONENT_TYPES.CHANNEL_SELECT:
      resolver.channel(value, component.channel_types ?? []);
      break;
    case COMPONENT_TYPES.ROLE_SELECT:
      resolver.role(value);
      break;
    case COMPONENT_TYPES.USER_SELECT:
      resolver.user(value);
      break;
    case COMPONENT_TYPES.MENTIONABLE_SELECT:
      resolver.mentionable(value);
      break;
  }
}
