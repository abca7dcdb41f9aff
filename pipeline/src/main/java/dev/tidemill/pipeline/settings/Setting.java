package dev.tidemill.pipeline.settings;

import dev.tidemill.describe.Option;

/**
 * One setting.
 *
 * @param group      what it belongs to, as a heading
 * @param option     its camelCase name, type, default, range and meaning
 * @param compatible its {@code STREAM_…} spelling, or null when only Tidemill has it
 * @param effect     what a given value does in this version
 */
public record Setting(String group, Option option, String compatible, Effect effect) {
    public enum Effect {
        WORKS,
        /** Tunes a part that this version does not have. */
        NOT_YET,
        /** Is about several machines. */
        CLUSTER
    }

    public String name() {
        return option.name();
    }

    /** Its spelling as a variable of the environment. */
    public String variable() {
        StringBuilder out = new StringBuilder("TIDEMILL_");
        for (char c : name().toCharArray()) {
            if (Character.isUpperCase(c)) {
                out.append('_');
            }
            out.append(Character.toUpperCase(c));
        }
        return out.toString();
    }
}
