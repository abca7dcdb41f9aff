package dev.tidemill.pipeline.check;

import dev.tidemill.pipeline.spec.InvalidPipelineException;
import dev.tidemill.pipeline.spec.Position;
import dev.tidemill.pipeline.spec.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** The text of a pipeline file. */
final class PipelineText {
    private static final int MAX_BYTES = 1 << 20;

    private PipelineText() {}

    static String read(Path file) throws IOException, InvalidPipelineException {
        String name = file.toString();
        if (Files.isDirectory(file)) {
            throw invalid(Position.of(name), "is a directory, expected a pipeline file");
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (NoSuchFileException e) {
            throw invalid(Position.of(name), "there is no such file");
        } catch (AccessDeniedException e) {
            throw invalid(Position.of(name), "the permission to read it is missing");
        }
        if (bytes.length > MAX_BYTES) {
            throw invalid(Position.of(name), "is larger than 1 MiB, which no pipeline file is");
        }
        return decode(bytes, name);
    }

    private static String decode(byte[] bytes, String name) throws InvalidPipelineException {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        CharBuffer chars = CharBuffer.allocate(bytes.length);
        CoderResult result = decoder.decode(ByteBuffer.wrap(bytes), chars, true);
        chars.flip();
        String text = chars.toString();
        if (!result.isError()) {
            return text;
        }
        int line = 1 + (int) text.chars().filter(c -> c == '\n').count();
        int column = 1 + text.codePointCount(text.lastIndexOf('\n') + 1, text.length());
        throw invalid(new Position(name, line, column), "is not UTF-8 text from here on");
    }

    private static InvalidPipelineException invalid(Position at, String message) {
        return new InvalidPipelineException(List.of(new Problem(at, message)));
    }
}
