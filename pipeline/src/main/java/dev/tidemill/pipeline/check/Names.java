package dev.tidemill.pipeline.check;

/** What may be a name. */
final class Names {
    static final int MAX_LENGTH = 200;

    private Names() {}

    static boolean isName(String text) {
        return !text.isEmpty()
                && text.length() <= MAX_LENGTH
                && text.chars().noneMatch(Character::isISOControl);
    }

    /** Whether it can be one folder of a path on every system and store. */
    static boolean isPathSegment(String text) {
        return isName(text)
                && text.chars().noneMatch(c -> c == '/' || c == '\\')
                && !text.equals(".")
                && !text.equals("..");
    }
}
