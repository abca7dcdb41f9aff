# Finds a JDK that can build and run Tidemill. Sourced by ./tidemill and ./check; bash 3.2 and POSIX tools, starts no process.

JDK_WANTED=25

# Sets jdk_version from the file that every JDK carries, which is much faster than asking java. Fails when it is no JDK.
read_jdk_version() {
    local key value
    jdk_version=
    [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
    while IFS='=' read -r key value; do
        if [ "$key" = JAVA_VERSION ]; then
            value=${value%$'\r'}
            value=${value#\"}
            jdk_version=${value%\"}
        fi
    done <"$1/release"
    [ -n "$jdk_version" ]
}

# Sets jdk_major; anything that is no number counts as too old.
jdk_major_of() {
    jdk_major=${1%%[!0-9]*}
    jdk_major=${jdk_major:-0}
}

# Sets jdk and jdk_version, or says what was looked for, where, and how to get it, and fails.
find_jdk() {
    local candidate newer='' newer_version='' seen=''
    if [ -n "${TIDEMILL_JAVA_HOME:-}" ]; then
        read_jdk_version "$TIDEMILL_JAVA_HOME"
        jdk_major_of "$jdk_version"
        if [ "$jdk_major" -ge $JDK_WANTED ]; then
            jdk=$TIDEMILL_JAVA_HOME
            return 0
        fi
        echo "tidemill: TIDEMILL_JAVA_HOME=$TIDEMILL_JAVA_HOME holds ${jdk_version:+JDK }${jdk_version:-no JDK}; JDK $JDK_WANTED or newer is needed." >&2
        echo "Point it to one, or unset it to let tidemill look for one." >&2
        return 1
    fi
    for candidate in ${JAVA_HOME:+"$JAVA_HOME"} \
        /usr/lib/jvm/* /usr/java/* /opt/* /opt/java/* \
        "${HOME:-/nonexistent}"/.sdkman/candidates/java/* "${HOME:-/nonexistent}"/.jdks/* \
        /Library/Java/JavaVirtualMachines/*/Contents/Home "${HOME:-/nonexistent}"/Library/Java/JavaVirtualMachines/*/Contents/Home; do
        read_jdk_version "$candidate" || continue
        jdk_major_of "$jdk_version"
        if [ "$jdk_major" -eq $JDK_WANTED ]; then
            jdk=$candidate
            return 0
        fi
        if [ "$jdk_major" -gt $JDK_WANTED ] && [ -z "$newer" ]; then
            newer=$candidate
            newer_version=$jdk_version
        fi
        seen="$seen
    $candidate ($jdk_version)"
    done
    if [ -n "$newer" ]; then
        jdk=$newer
        jdk_version=$newer_version
        return 0
    fi
    cat >&2 <<MESSAGE
tidemill: no JDK $JDK_WANTED or newer was found.
Looked at TIDEMILL_JAVA_HOME (not set), JAVA_HOME (${JAVA_HOME:-not set}), and in
    /usr/lib/jvm, /usr/java, /opt, /opt/java, ~/.sdkman/candidates/java, ~/.jdks, /Library/Java/JavaVirtualMachines
Found there:${seen:- no JDK at all}
How to get one:
    Debian, Ubuntu   apt install openjdk-$JDK_WANTED-jdk, or temurin-$JDK_WANTED-jdk from https://adoptium.net
    macOS            brew install --cask temurin@$JDK_WANTED
    SDKMAN!          sdk install java $JDK_WANTED-tem
    by hand          unpack a JDK $JDK_WANTED and set TIDEMILL_JAVA_HOME to its folder
MESSAGE
    return 1
}

# Runs Maven. Maven itself may run on an older Java: the build selects the JDK, and finds the one chosen here in JAVA25_HOME.
run_maven() {
    if ! command -v mvn >/dev/null 2>&1; then
        echo "tidemill: Maven is needed to build, and there is no mvn on the PATH. Debian, Ubuntu: apt install maven; macOS: brew install maven" >&2
        return 2
    fi
    if [ -z "${JAVA_HOME:-}" ] && ! command -v java >/dev/null 2>&1; then
        JAVA_HOME=$jdk JAVA25_HOME=$jdk mvn -B -ntp "$@"
        return
    fi
    JAVA25_HOME=$jdk mvn -B -ntp "$@"
}
