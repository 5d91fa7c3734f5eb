# Prints the moves of the line that a variations table shows, ours or the rival's: the two columns
# after the move number, without counts and marks.
/^ *[0-9]+[. ]/ {
    columns = 0
    for (i = 2; i <= NF && columns < 2; i++) {
        if ($i ~ /^[0-9,]+$/ || $i == "=") continue
        columns++
        if ($i != "...") printf "%s ", $i
    }
}
